package io.github.idem.tool;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.idem.operation.Engines;
import io.github.idem.InvalidArgumentsException;
import io.github.idem.identity.Arguments;
import io.github.idem.operation.IdempotentExecutor;
import io.github.idem.operation.IncomingCall;
import io.github.idem.operation.LoopPosition;
import io.github.idem.operation.OperationStore;
import io.github.idem.operation.ToolPolicy;
import io.github.idem.tool.Json.Members;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.support.ToolDefinitions;
import org.springframework.ai.tool.method.MethodToolCallback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What idem takes for equal against what Spring AI hands to the method. Another seed each
 * time; {@code -Didem.test.seed=…} repeats one.
 */
class BindingDifferentialTest {

	private static final int PAIRS = 20_000;

	private static final long SEED = Long.getLong("idem.test.seed", new Random().nextLong());

	private final RecordingTools tools = new RecordingTools();

	private final List<Method> methods = Arrays.stream(RecordingTools.class.getDeclaredMethods())
		.filter((method) -> method.isAnnotationPresent(org.springframework.ai.tool.annotation.Tool.class))
		.sorted(Comparator.comparing(Method::getName))
		.toList();

	private final Map<Method, MethodToolCallback> callbacks = new LinkedHashMap<>();

	private final ToolPolicies policies = new ToolPolicies(Map.of(), Effects.NONE);

	/** Refuses to hold anything: whatever is refused has to be refused before. */
	private final IdempotentExecutor engine = Engines
		.on((OperationStore) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { OperationStore.class }, (proxy, method, arguments) -> {
					throw new AssertionError("The store was asked to " + method.getName());
				}), new IdempotentExecutor.Timing(Duration.ofSeconds(60), Duration.ofHours(1), Duration.ZERO));

	@Test
	void equalFingerprintsMeanEqualArgumentsAndTheOtherWayRoundButForAClosedList() {
		int equal = 0;
		int unequal = 0;
		int refused = 0;
		Map<DeliberateDifference, Integer> deliberate = new EnumMap<>(DeliberateDifference.class);
		for (int i = 0; i < PAIRS; i++) {
			Random random = new Random(SEED + i);
			RandomCalls calls = new RandomCalls(random);
			Method method = this.methods.get(random.nextInt(this.methods.size()));
			Members one = calls.arguments(method);
			Members other = (random.nextInt(10) > 0) ? calls.change(one, method) : calls.arguments(method);
			Call first = call(method, one.text());
			Call second = call(method, other.text());
			String pair = "-Didem.test.seed=%d, %s%n%s%n%s".formatted(SEED + i, method.getName(), one.text(),
					other.text());
			if (first == null || second == null) {
				refused++;
				continue;
			}
			boolean sameValues = same(first.received(), second.received());
			if (first.fingerprint().equals(second.fingerprint())) {
				assertThat(sameValues).as("Equal to idem, not to the tool: " + pair).isTrue();
				equal++;
			}
			else if (sameValues) {
				Set<DeliberateDifference> why = differences(method, one, other);
				assertThat(why).as("Equal to the tool, not to idem: " + pair)
					.isNotEmpty()
					.doesNotContain(DeliberateDifference.UNEXPLAINED);
				why.forEach((difference) -> deliberate.merge(difference, 1, Integer::sum));
			}
			else {
				unequal++;
			}
		}
		System.out.printf(
				"binding: -Didem.test.seed=%d, %d pairs: %d equal, %d unequal, %d refused, deliberately told apart: %s%n",
				SEED, PAIRS, equal, unequal, refused, deliberate);
		assertThat(equal + unequal).isGreaterThan(10_000);
		assertThat(equal).isGreaterThan(2_000);
		assertThat(unequal).isGreaterThan(1_000);
		assertThat(refused).isGreaterThan(1_000);
		assertThat(deliberate.keySet()).as("the list has nothing that never happens")
			.isEqualTo(EnumSet.complementOf(EnumSet.of(DeliberateDifference.UNEXPLAINED)));
	}

	private Set<DeliberateDifference> differences(Method method, Members one, Members other) {
		return Arrays.stream(method.getParameters())
			.filter((parameter) -> parameter.getType() != ToolContext.class)
			.flatMap((parameter) -> DeliberateDifference
				.between(parameter.getParameterizedType(), one.members().get(parameter.getName()),
						other.members().get(parameter.getName()))
				.stream())
			.collect(Collectors.toCollection(() -> EnumSet.noneOf(DeliberateDifference.class)));
	}

	/** What idem makes of a call, and Spring AI of the same; {@code null} if refused. */
	private @Nullable Call call(Method method, String json) {
		MethodToolCallback callback = this.callbacks.computeIfAbsent(method, this::callback);
		ToolPolicy policy = this.policies.find(callback);
		assertThat(policy).isNotNull();
		IncomingCall call = new IncomingCall("t1", "c1", null, json, Map.of(), LoopPosition.FIRST);
		Arguments arguments;
		Map<String, @Nullable Object> bound;
		try {
			arguments = policy.schema().read(json, Set.of());
			if (!arguments.missing().isEmpty()) {
				throw new InvalidArgumentsException("missing");
			}
			bound = new MethodArguments(method).convert(arguments.json());
		}
		catch (InvalidArgumentsException ex) {
			assertThatExceptionOfType(InvalidArgumentsException.class).as(json)
				.isThrownBy(() -> this.engine.execute(policy, call, (running, text) -> {
					throw new AssertionError("The tool was entered");
				}))
				.withMessageNotContainingAny("Exception", "java.", "jackson", "Main Street")
				.withNoCause();
			return null;
		}
		callback.call(arguments.json(), new ToolContext(Map.of("task_id", "t1")));
		List<@Nullable Object> received = this.tools.received();
		List<@Nullable Object> expected = Arrays.stream(method.getParameters())
			.filter((parameter) -> parameter.getType() != ToolContext.class)
			.<@Nullable Object>map((Parameter parameter) -> bound.get(parameter.getName()))
			.toList();
		assertThat(sameInDoubles(expected, received))
			.as("Bound before the claim %s, received %s: %s %s", expected, received, method.getName(), json)
			.isTrue();
		return new Call(arguments.fingerprint(), received);
	}

	private MethodToolCallback callback(Method method) {
		return MethodToolCallback.builder()
			.toolDefinition(ToolDefinitions.from(method))
			.toolMethod(method)
			.toolObject(this.tools)
			.build();
	}

	private record Call(String fingerprint, List<@Nullable Object> received) {
	}

	private static boolean same(@Nullable Object one, @Nullable Object other) {
		return canonical(one, false).equals(canonical(other, false));
	}

	private static boolean sameInDoubles(@Nullable Object one, @Nullable Object other) {
		return canonical(one, true).equals(canonical(other, true));
	}

	/**
	 * Values that are equal exactly if the tool cannot tell them apart, numbers by value.
	 */
	private static Object canonical(@Nullable Object value, boolean doubles) {
		if (value == null) {
			return Optional.class;
		}
		if (value instanceof Number number) {
			BigDecimal exact = new BigDecimal(number.toString());
			return doubles ? exact.doubleValue() + 0.0
					: (exact.signum() == 0) ? BigDecimal.ZERO : exact.stripTrailingZeros();
		}
		if (value instanceof Optional<?> optional) {
			return List.of("optional", canonical(optional.orElse(null), doubles));
		}
		if (value.getClass().isArray()) {
			return IntStream.range(0, Array.getLength(value))
				.mapToObj((i) -> canonical(Array.get(value, i), doubles))
				.toList();
		}
		if (value instanceof Set<?> set) {
			return set.stream().map((each) -> canonical(each, doubles)).collect(Collectors.toSet());
		}
		if (value instanceof Collection<?> list) {
			return list.stream().map((each) -> canonical(each, doubles)).toList();
		}
		if (value instanceof Map<?, ?> map) {
			Map<Object, Object> canonical = new LinkedHashMap<>();
			map.forEach((key, each) -> canonical.put(key, canonical(each, doubles)));
			return canonical;
		}
		if (value instanceof Record) {
			List<Object> components = new ArrayList<>();
			for (RecordComponent component : value.getClass().getRecordComponents()) {
				components.add(canonical(component(value, component), doubles));
			}
			return components;
		}
		return value;
	}

	private static @Nullable Object component(Object value, RecordComponent component) {
		try {
			return component.getAccessor().invoke(value);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
