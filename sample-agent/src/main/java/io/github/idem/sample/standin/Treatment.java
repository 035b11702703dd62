package io.github.idem.sample.standin;

import java.time.Duration;

/**
 * How the gateway treats one request.
 *
 * @param declined whether it refuses the charge, with 422
 * @param appliesAfter when the charge is made, counted from the request's arrival
 * @param answersAfter when the answer is sent, counted from the request's arrival
 */
public record Treatment(boolean declined, Duration appliesAfter, Duration answersAfter) {

	/** Charges and answers at once. */
	public static final Treatment PROMPT = new Treatment(false, Duration.ZERO, Duration.ZERO);

	/** Refuses, at once. */
	public static final Treatment DECLINED = new Treatment(true, Duration.ZERO, Duration.ZERO);

	public Treatment appliesAfter(Duration delay) {
		return new Treatment(this.declined, delay, this.answersAfter);
	}

	public Treatment answersAfter(Duration delay) {
		return new Treatment(this.declined, this.appliesAfter, delay);
	}

}
