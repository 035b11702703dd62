package io.github.idem.sample;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * What can be bought.
 */
public enum Coffee {

	ESPRESSO("2.40"), LATTE("3.90"), BEANS("29.90");

	private final BigDecimal price;

	Coffee(String price) {
		this.price = new BigDecimal(price);
	}

	BigDecimal price(int quantity) {
		return this.price.multiply(BigDecimal.valueOf(quantity));
	}

	static String menu() {
		return Arrays.stream(values())
			.map((coffee) -> coffee + " " + coffee.price.toPlainString())
			.collect(Collectors.joining(", "));
	}

}
