package io.github.idem.autoconfigure;

import io.github.idem.Duplicates;
import io.github.idem.Idempotent;
import io.github.idem.IdempotencyException;
import io.github.idem.ReadOnlyTool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.method.MethodToolCallbackProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;

/** What is said of the tools at start-up. */
@ExtendWith(OutputCaptureExtension.class)
class ToolLintTest {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ToolCallingAutoConfiguration.class, DataSourceAutoConfiguration.class,
				IdemStoreAutoConfiguration.class, IdemEngineAutoConfiguration.class, IdemToolAutoConfiguration.class))
		.withPropertyValues("spring.datasource.generate-unique-name=true", "idem.store.volatile=allow");

	@Test
	void eachToolHasALineWithItsSettings(CapturedOutput output) {
		this.runner.withBean("shop", Shop.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output)
				.contains("Tool 'charge' (bean 'shop', Shop.charge) is protected: duplicates ALLOW, key #orderId,"
						+ " ignoring [memo]")
				.contains("Tool 'menu' (bean 'shop', Shop.menu) is not protected")
				.doesNotContain("looks as if");
		});
	}

	@Test
	void writersThatAreNotProtectedAreNamedWithTheReason(CapturedOutput output) {
		this.runner.withBean("careless", Careless.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output)
				.contains("Tool 'placeOrder' (bean 'careless', Careless.placeOrder) is not protected and"
						+ " looks as if it changes something: its name says 'place'")
				.contains("Tool 'coupon' (bean 'careless', Careless.coupon) is not protected and looks as if it changes"
						+ " something: its description says 'issue'")
				.contains("Tool 'ping' (bean 'careless', Careless.ping) is not protected and looks as if it changes"
						+ " something: its class has an HTTP client")
				.doesNotContain("Tool 'getOrder' (bean 'careless', Careless.getOrder) is not protected and")
				.contains("idem.tools.placeOrder.read-only=true");
		});
	}

	@Test
	void writersThatAreNotProtectedCanFailTheStart() {
		this.runner.withBean("careless", Careless.class)
			.withPropertyValues("idem.lint=fail")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(IdempotencyException.class)
				.hasMessageContaining("Careless.placeOrder")
				.hasMessageContaining("Careless.coupon"));
	}

	@Test
	void nothingIsSaidWhereItIsSwitchedOff(CapturedOutput output) {
		this.runner.withBean("careless", Careless.class)
			.withPropertyValues("idem.lint=off")
			.run((context) -> assertThat(output).doesNotContain("Tool '"));
	}

	@Test
	void aToolThatIsSaidToReadOnlyIsNotNamed(CapturedOutput output) {
		this.runner.withBean("careless", Careless.class)
			.withPropertyValues("idem.tools.placeOrder.read-only=true", "idem.tools.ping.read-only=true",
					"idem.tools.coupon.read-only=true", "idem.lint=fail")
			.run((context) -> assertThat(context).hasNotFailed());
		this.runner.withBean("honest", Honest.class)
			.withPropertyValues("idem.lint=fail")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("looks as if");
	}

	@Test
	void aToolThatIsProtectedAndSaidToReadOnlyFailsTheStart() {
		this.runner.withBean("shop", Shop.class)
			.withPropertyValues("idem.tools.charge.read-only=true")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("idem.tools.charge.read-only=true: remove one of them"));
	}

	@Test
	void functionsAndProvidedToolsAreKnownToo(CapturedOutput output) {
		this.runner
			.withBean("refund", ToolCallback.class,
					() -> FunctionToolCallback.builder("refund", (Order order) -> "refunded")
						.description("Gives money back")
						.inputType(Order.class)
						.build())
			.withBean("provider", ToolCallbackProvider.class,
					() -> MethodToolCallbackProvider.builder().toolObjects(new Careless()).build())
			.withPropertyValues("idem.tools.refund.key=#id")
			.run((context) -> assertThat(output)
				.contains("Tool 'refund' (FunctionToolCallback) is protected: duplicates COLLAPSE, key #id")
				.contains("Tool 'placeOrder' (Careless.placeOrder) is not protected and looks as if")
				.doesNotContain("no bean has a tool of this name"));
	}

	@Test
	void aProtectedMethodThatIsRepeatedBehindOurBackIsNamed(CapturedOutput output) {
		this.runner.withBean("repeating", Repeating.class)
			.run((context) -> assertThat(output).contains(
					"Tool 'charge' (bean 'repeating', Repeating.charge) is protected, but its method is repeated"));
	}

	record Order(String id) {
	}

	static class Shop {

		@Idempotent(key = "#orderId", duplicates = Duplicates.ALLOW, ignoring = "memo")
		@Tool(description = "Charges an order")
		String charge(String orderId, String memo) {
			return "charged " + orderId + memo;
		}

		@Tool(description = "The menu")
		String menu() {
			return "espresso";
		}

	}

	static class Careless {

		final RestClient client = RestClient.create();

		@Tool(description = "A new order")
		String placeOrder(String what) {
			return "placed " + what;
		}

		@Tool(description = "Issues a coupon")
		String coupon(String user) {
			return "issued to " + user;
		}

		@Tool(description = "Whether somebody is there")
		String ping() {
			return "pong";
		}

		@Tool(description = "Gets an order")
		String getOrder(String id) {
			return id;
		}

	}

	static class Honest {

		@ReadOnlyTool
		@Tool(description = "Orders the books by title")
		String orderBooks(String shelf) {
			return shelf;
		}

	}

	static class Repeating {

		@Idempotent
		@Retryable
		@Tool(description = "Charges")
		String charge(String user) {
			return "charged " + user;
		}

	}

}
