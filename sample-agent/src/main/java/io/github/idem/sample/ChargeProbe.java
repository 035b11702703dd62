package io.github.idem.sample;

import io.github.idem.Operation;
import io.github.idem.Outcome;
import io.github.idem.OutcomeProbe;

import org.springframework.ai.tool.execution.DefaultToolCallResultConverter;
import org.springframework.stereotype.Component;

/**
 * Asks the payment gateway what became of a charge whose answer never came. A charge that
 * it does not have may still be on its way: that is "not found", never "not applied".
 */
@Component
class ChargeProbe implements OutcomeProbe {

	private final Payments payments;

	ChargeProbe(Payments payments) {
		this.payments = payments;
	}

	@Override
	public String tool() {
		return "charge";
	}

	@Override
	public Outcome probe(Operation operation) {
		return this.payments.find(operation.requestId())
			.<Outcome>map((receipt) -> new Outcome.Applied(asTheModelWouldReadIt(receipt)))
			.orElseGet(Outcome.NotFound::new);
	}

	// What the tool returns reaches the model as JSON, so this has to as well.
	private static String asTheModelWouldReadIt(Payments.Receipt receipt) {
		return new DefaultToolCallResultConverter().convert(receipt.text(), String.class);
	}

}
