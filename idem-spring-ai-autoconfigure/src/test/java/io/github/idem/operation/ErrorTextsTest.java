package io.github.idem.operation;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Which results are taken for a failure that was not thrown. */
class ErrorTextsTest {

	@ParameterizedTest
	@ValueSource(strings = { "Error: timed out", "\"Error: timed out\"", "ERROR - gateway", "error while charging",
			"Error", "Errors: 2", "Error: none of the cards was accepted", "Error: 0 rows were written",
			"Failed: gateway", "Failed to charge", "Failure!", "FATAL: no connection", "Timeout", "timed out",
			"[ERROR] no answer", "**Error:** no answer", "# Error: no answer", "Error 503", "HTTP error 502",
			"HTTP 503", "HTTP/1.1 504 Gateway Timeout", "503 Service Unavailable", "500 Internal Server Error",
			"422 Unprocessable Content", "Internal Server Error", "An error occurred", "An unexpected error occurred",
			"I/O error on POST request for \"http://gateway/charges\": Read timed out", "Read timed out",
			"The request timed out after 5 s", "Request failed with status code 502", "Connection refused",
			"Connection reset by peer", "Service temporarily unavailable", "Unable to charge the card",
			"Could not reach the gateway", "Couldn't charge", "Exception in thread main",
			"Error executing tool: boom. Error", "java.net.SocketTimeoutException: Read timed out",
			"An exception was thrown", "The error has occurred", "Unknown error 17: no", "Failed: 3 of 12",
			"Failed to hand over", "Failed because it was late", "An error with code 3", "Call failed",
			"The connection was reset", "Request aborted", "Timeout: no answer after 30 s", "Timeout: 30 s",
			"Operation aborted", "Payment failed", "The transfer of 5 EUR failed", "Your order has timed out",
			"HTTP 404", "Status 502 Bad Gateway", "org.example.Outer$InnerException",
			"\"java.lang.IllegalStateException: no\"" })
	void aTextThatBeginsLikeAnErrorMessage(String result) {
		assertThat(ErrorTexts.looksLikeError(result)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"error\":\"timed out\"}", "{\"id\":7,\"error\":\"timed out\"}",
			"{\"timestamp\":\"2026-01-01\",\"status\":500,\"error\":\"Internal Server Error\",\"path\":\"/charges\"}",
			"{\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503}",
			"{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32000,\"message\":\"boom\"},\"id\":1}",
			"{\"error\":{\"code\":0,\"message\":\"boom\"}}", "{\"errors\":[{}]}", "{\"errorCode\":\"E0\"}",
			"{\"data\":null,\"errors\":[{\"message\":\"boom\"}]}", "{\"errorMessage\":\"boom\"}", "{\"error_code\":17}",
			"{\"success\": false}", "{\"ok\":\"false\",\"charge\":null}",
			"{\"content\":[{\"type\":\"text\",\"text\":\"boom\"}],\"isError\":true}", "{\"is_error\":true}",
			"{\"status\":\"FAILED\"}", "{\"status\":\"timed_out\"}", "{\"statusCode\":\"502\"}",
			"{\"message\":\"Error: timed out\"}", "[{\"text\":\"Error: timed out\"}]",
			"[{\"type\":\"text\",\"text\":\"{\\\"error\\\":\\\"timed out\\\"}\"}]",
			"\"{\\\"error\\\":\\\"timed out\\\"}\"", "[\"Error: timed out\"]", "  {\"error\": true}  " })
	void jsonThatSaysSo(String result) {
		assertThat(ErrorTexts.looksLikeError(result)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "paid", "\"paid\"", "null", "17", "true", "{}", "[]", "{\"charge\":\"ch_1\"}",
			"{\"error\":null,\"charge\":\"ch_1\"}", "{\"error\":\"\"}", "{\"error\":false}", "{\"errors\":[]}",
			"{\"errors\":0}", "{\"error\":\"none\"}", "{\"error\":{}}", "{\"success\":true,\"error_code\":0}",
			"{\"isError\":false,\"content\":[{\"text\":\"paid\"}]}", "{\"status\":\"SUCCEEDED\"}", "{\"status\":200}",
			"{\"code\":404}", "{\"amount\":500}", "Errors: none", "Errors: 0, warnings: 2", "Error: none.",
			"error=null", "Failed: 0, sent: 3", "errorless", "Failover was switched on", "Refund of order 503",
			"500 EUR were paid", "HTTP endpoint registered", "The order was placed", "The timeout was set to 5 s",
			"An exception was granted for order 4711", "The error report was filed as INC-17",
			"A failure notification was sent to ops", "Error tracking ticket 12 created",
			"Failure handling was configured", "Failed: 0 of 12", "Failures: 0 (12 imported)", "Errors: []",
			"Errors: no errors", "Server web1 reset", "Request for password reset sent", "Connection pool reset",
			"Operation 12 aborted", "Call to Ms Smith failed over to the mailbox", "500 service credits were added",
			"HTTP 443 was opened on web1", "{\"paymentId\":\"p1\",\"errorCode\":\"00\"}",
			"{\"paymentId\":\"p1\",\"errorCode\":\"SUCCESS\"}", "{\"paymentId\":\"p1\",\"errorMessage\":\"Success\"}",
			"{\"errorMessage\":\"No error\"}", "{\"error\":{\"code\":0,\"message\":\"\"},\"id\":7}",
			"com.example.Order", "[{\"text\":\"paid\"}]", "{broken", "\"unfinished" })
	void anythingElseIsASuccess(String result) {
		assertThat(ErrorTexts.looksLikeError(result)).isFalse();
	}

	@Test
	void nothingIsASuccess() {
		assertThat(ErrorTexts.looksLikeError(null)).isFalse();
	}

	@Test
	void muchContentIsJudgedByItsBeginning() {
		assertThat(ErrorTexts.looksLikeError("paid " + "x".repeat(1_000_000))).isFalse();
		assertThat(ErrorTexts.looksLikeError("Error: " + "x".repeat(1_000_000))).isTrue();
		assertThat(ErrorTexts.looksLikeError("[".repeat(50_000) + "]".repeat(50_000))).isFalse();
	}

}
