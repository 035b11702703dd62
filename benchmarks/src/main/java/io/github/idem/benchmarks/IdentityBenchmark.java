package io.github.idem.benchmarks;

import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.github.idem.identity.ArgumentSchema;
import io.github.idem.identity.Arguments;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What it costs to know which call a call is: arguments parsed, brought into canonical
 * form and hashed, against Jackson reading the same text as a tree. The aim is twice the
 * tree, the limit three times.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class IdentityBenchmark {

	private static final String SCHEMA = """
			{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{
			"customer":{"type":"string"},"amount":{"type":"number"},"express":{"type":"boolean"},
			"note":{"type":"string"},"lines":{"type":"array","items":{"type":"object","properties":{
			"sku":{"type":"string"},"title":{"type":"string"},"quantity":{"type":"integer"},
			"price":{"type":"number"}},"required":["sku","quantity","price"],"additionalProperties":false}}},
			"required":["customer","amount"],"additionalProperties":false}""";

	/** About how many bytes the arguments have. */
	@Param({ "200", "2000", "50000" })
	private int size;

	private final JsonMapper mapper = JsonMapper.builder().build();

	private final ArgumentSchema schema = ArgumentSchema.of(SCHEMA);

	private final Set<String> ignoring = Set.of("note");

	private String arguments = "";

	/** An order of as many lines as it takes. */
	@Setup
	public void order() {
		StringBuilder order = new StringBuilder(
				"{\"customer\":\"customer-4711\",\"amount\":29.90,\"express\":true,\"lines\":[");
		for (int line = 0; line == 0 || order.length() < this.size - 70; line++) {
			order.append((line > 0) ? "," : "")
				.append("{\"sku\":\"ESP-%04d\",\"title\":\"Caf\u00e9 cr\u00e8me, grande\",\"quantity\":%d,\"price\":%d.50}"
					.formatted(line, line % 7 + 1, line % 20 + 2));
		}
		this.arguments = order.append("],\"note\":\"leave it at the door\"}").toString();
	}

	/**
	 * What idem does before each claim.
	 * @return the arguments with their fingerprint
	 */
	@Benchmark
	public Arguments identity() {
		return this.schema.read(this.arguments, this.ignoring);
	}

	/**
	 * What any use of the arguments costs.
	 * @return the tree
	 */
	@Benchmark
	public JsonNode tree() {
		return this.mapper.readTree(this.arguments);
	}

}
