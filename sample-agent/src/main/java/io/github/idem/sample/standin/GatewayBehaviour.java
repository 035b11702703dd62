package io.github.idem.sample.standin;

import java.util.List;

/**
 * How the gateway behaves towards one run.
 *
 * @param first how it treats the first requests, one each
 * @param then how it treats all others
 * @param deduplicates whether it makes one charge of requests with the same
 * {@code Idempotency-Key}
 */
public record GatewayBehaviour(List<Treatment> first, Treatment then, boolean deduplicates) {

	public GatewayBehaviour {
		first = List.copyOf(first);
	}

	public static GatewayBehaviour always(Treatment treatment) {
		return new GatewayBehaviour(List.of(), treatment, false);
	}

	/**
	 * Treat the first requests otherwise.
	 */
	public GatewayBehaviour first(Treatment... treatments) {
		return new GatewayBehaviour(List.of(treatments), this.then, this.deduplicates);
	}

	public GatewayBehaviour deduplicating() {
		return new GatewayBehaviour(this.first, this.then, true);
	}

	Treatment treat(int arrived) {
		return (arrived < this.first.size()) ? this.first.get(arrived) : this.then;
	}

}
