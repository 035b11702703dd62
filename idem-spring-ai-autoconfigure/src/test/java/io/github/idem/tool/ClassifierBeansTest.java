package io.github.idem.tool;

import java.util.Map;
import java.util.Optional;

import io.github.idem.FailedAttempt;
import io.github.idem.FailureClassifier;
import io.github.idem.Judgement;
import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import io.github.idem.ResultClassifier;
import io.github.idem.SentRequest;
import io.github.idem.testing.H2Files;
import io.github.idem.tool.TestGateway.Behaviour;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static io.github.idem.tool.ScriptedChatModel.call;
import static io.github.idem.tool.ScriptedChatModel.calls;
import static org.assertj.core.api.Assertions.assertThat;

/** The application's own classifiers are asked before idem judges. */
class ClassifierBeansTest extends ToolCallTest {

	private TestGateway gateway;

	private Cashier cashier;

	private Classifiers classifiers;

	@Override
	Map<String, Object> database() {
		return Map.of("spring.datasource.url", H2Files.newDatabase(), "idem.lint", "off");
	}

	@Override
	Class<?>[] sources() {
		return new Class<?>[] { Application.class, Cashier.Beans.class, Classifiers.class };
	}

	@BeforeEach
	void judgeNothing() {
		this.gateway = this.context.getBean(TestGateway.class);
		this.cashier = this.context.getBean(Cashier.class);
		this.classifiers = this.context.getBean(Classifiers.class);
		this.gateway.forget();
		this.cashier.forget();
		this.classifiers.failure = (attempt) -> Optional.empty();
		this.classifiers.result = (tool, result) -> Optional.empty();
	}

	@Test
	void aFailureIsJudgedByWhatWasThrownAndSent() {
		FailedAttempt[] seen = new FailedAttempt[1];
		this.classifiers.failure = (attempt) -> {
			seen[0] = attempt;
			return Optional.of(new Judgement.NotApplied("the ledger is closed"));
		};
		this.cashier.script = () -> {
			this.cashier.send();
			throw new IllegalStateException("closed");
		};
		charge();
		assertThat(answer()).contains("closed");
		assertThat(operation()).extracting(Operation::status, Operation::error)
			.containsExactly(OperationStatus.FAILED, "the ledger is closed");
		assertThat(seen[0].thrown()).isInstanceOf(IllegalStateException.class);
		assertThat(seen[0]).extracting(FailedAttempt::tool, FailedAttempt::requestId, FailedAttempt::attempt)
			.containsExactly("scripted", "t1:call_1", 1);
		assertThat(seen[0].sent()).extracting(SentRequest::method, SentRequest::status)
			.hasToString("[(\"POST\", 200)]");
	}

	@Test
	void aFailureThatIdemWouldTakeForARefusalMayBeInDoubt() {
		this.classifiers.failure = (attempt) -> Optional.of(new Judgement.MayHaveApplied("it also writes to a queue"));
		this.gateway.plan.add(Behaviour.DECLINE);
		this.cashier.script = this.cashier::send;
		charge();
		assertThat(answer()).contains("IN_DOUBT");
		assertThat(operation().error()).isEqualTo("it also writes to a queue");
	}

	@Test
	void whatIsLeftOpenIsJudgedByIdem() {
		this.gateway.plan.add(Behaviour.DECLINE);
		this.cashier.script = this.cashier::send;
		charge();
		assertThat(operation().status()).isEqualTo(OperationStatus.FAILED);
	}

	@Test
	void aFailureIsNoSuccessWhateverAClassifierSays() {
		this.classifiers.failure = (attempt) -> Optional.of(new Judgement.Applied());
		this.cashier.script = () -> {
			throw new IllegalStateException("who knows");
		};
		charge();
		assertThat(answer()).contains("IN_DOUBT");
	}

	@Test
	void aClassifierThatThrowsOrGivesNullLeavesAFailureToIdem() {
		this.cashier.script = () -> {
			throw new IllegalStateException("who knows");
		};
		this.classifiers.failure = (attempt) -> {
			throw new IllegalStateException("broken");
		};
		charge();
		assertThat(answer()).contains("IN_DOUBT");
		forget();
		this.classifiers.failure = (attempt) -> nothing();
		charge();
		assertThat(answer()).contains("IN_DOUBT");
		forget();
		this.classifiers.failure = (attempt) -> {
			throw new NoClassDefFoundError("gone");
		};
		charge();
		assertThat(answer()).contains("IN_DOUBT");
		assertThat(operation().status()).isEqualTo(OperationStatus.IN_DOUBT);
	}

	@Test
	void aResultMayBeAFailure() {
		this.classifiers.result = (tool, result) -> "\"no funds\"".equals(result)
				? Optional.of(new Judgement.NotApplied("no funds")) : Optional.empty();
		this.cashier.script = () -> "no funds";
		charge();
		assertThat(operation().status()).isEqualTo(OperationStatus.FAILED);
		this.cashier.script = () -> "paid";
		charge();
		assertThat(answer()).isEqualTo("\"paid\"");
		assertThat(operation()).extracting(Operation::status, Operation::attempt)
			.containsExactly(OperationStatus.SUCCEEDED, 2);
	}

	@Test
	void aResultThatLooksLikeAnErrorMayBeASuccess() {
		this.cashier.script = () -> "Error: there is none, as it should be";
		charge();
		assertThat(answer()).contains("IN_DOUBT");
		forget();
		this.classifiers.result = (tool, result) -> Optional.of(new Judgement.Applied());
		charge();
		assertThat(answer()).isEqualTo("\"Error: there is none, as it should be\"");
		assertThat(operation().status()).isEqualTo(OperationStatus.SUCCEEDED);
	}

	@Test
	void aResultThatCouldNotBeJudgedIsInDoubt() {
		this.cashier.script = () -> "paid";
		this.classifiers.result = (tool, result) -> {
			throw new IllegalStateException("broken");
		};
		charge();
		assertThat(answer()).contains("IN_DOUBT");
		forget();
		this.classifiers.result = (tool, result) -> nothing();
		charge();
		assertThat(answer()).contains("IN_DOUBT");
		assertThat(operation().status()).isEqualTo(OperationStatus.IN_DOUBT);
	}

	/** What a classifier gives that was written without regard for null. */
	@SuppressWarnings({ "NullAway", "OptionalAssignedToNull", "NullOptional" })
	private static Optional<Judgement> nothing() {
		return null;
	}

	private void charge() {
		this.model.rounds(calls(call("call_1", "scripted", "{\"order\":\"o1\"}")));
		ask(Mode.CALL, this.cashier, (request) -> request.toolContext(Map.of("task_id", "t1")));
	}

	private Operation operation() {
		return this.store.find("t1:call_1").orElseThrow();
	}

	@Configuration(proxyBeanMethods = false)
	static class Classifiers {

		private volatile FailureClassifier failure = (attempt) -> Optional.empty();

		private volatile ResultClassifier result = (tool, result) -> Optional.empty();

		@Bean
		FailureClassifier failures() {
			return (attempt) -> this.failure.classify(attempt);
		}

		@Bean
		ResultClassifier results() {
			return new ResultClassifier() {
				@Override
				public Optional<Judgement> classify(String tool, @Nullable String result) {
					return Classifiers.this.result.classify(tool, result);
				}
			};
		}

	}

}
