package io.github.idem.identity;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;

import io.github.idem.identity.RandomArguments.Shape;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random arguments under random schemas: equal fingerprints and equal meaning are the
 * same thing. Another seed each time; {@code -Didem.test.seed=…} repeats one.
 */
class FingerprintPropertyTest {

	private static final long SEED = Long.getLong("idem.test.seed", new Random().nextLong());

	@Test
	void rewritingThatKeepsTheMeaningKeepsTheFingerprint() {
		forEachSeed("rewriting", 4_000, (random, seed) -> {
			RandomArguments some = new RandomArguments(random);
			Spelling spelling = new Spelling(random);
			Shape shape = some.schema();
			ArgumentSchema schema = ArgumentSchema.of(shape.json());
			Map<String, @Nullable Object> arguments = some.arguments(shape);
			String one = spelling.write(arguments, shape);
			String fingerprint = schema.read(one, Set.of()).fingerprint();
			for (int i = 0; i < 5; i++) {
				String other = spelling.write(arguments, shape);
				assertThat(schema.read(other, Set.of()).fingerprint())
					.as("seed %d%nschema %s%none %s%nother %s", seed, shape.json(), one, other)
					.isEqualTo(fingerprint);
			}
		});
	}

	@Test
	void argumentsHaveOneFingerprintIfAndOnlyIfTheyMeanTheSame() {
		int[] equal = { 0, 0 };
		forEachSeed("pairs", 20_000, (random, seed) -> {
			RandomArguments some = new RandomArguments(random);
			Spelling spelling = new Spelling(random);
			Shape shape = some.schema();
			ArgumentSchema schema = ArgumentSchema.of(shape.json());
			Map<String, @Nullable Object> one = some.arguments(shape);
			Map<String, @Nullable Object> other = (random.nextInt(4) > 0) ? some.change(one, shape)
					: some.arguments(shape);
			boolean same = Objects.equals(RandomArguments.meaning(one, shape), RandomArguments.meaning(other, shape));
			equal[same ? 1 : 0]++;
			String oneText = spelling.write(one, shape);
			String otherText = spelling.write(other, shape);
			assertThat(
					schema.read(oneText, Set.of()).fingerprint().equals(schema.read(otherText, Set.of()).fingerprint()))
				.as("seed %d%nschema %s%none %s%nother %s", seed, shape.json(), oneText, otherText)
				.isEqualTo(same);
		});
		// A test of equality proves nothing if it sees one kind only.
		assertThat(equal[1]).isGreaterThan(1_000);
		assertThat(equal[0]).isGreaterThan(1_000);
	}

	@Test
	void whatIsHandedOnAfterCuttingReservedMembersMeansTheSame() {
		forEachSeed("cutting", 2_000, (random, seed) -> {
			RandomArguments some = new RandomArguments(random);
			Shape shape = some.schema();
			ArgumentSchema schema = ArgumentSchema.of(shape.json());
			String text = new Spelling(random).write(some.arguments(shape), shape);
			Arguments read = schema.read(text, Set.of());
			Arguments again = schema.read(read.json(), Set.of());
			assertThat(read.json()).as("seed %d, %s", seed, text).doesNotContain("forged");
			assertThat(again).as("seed %d, %s", seed, text).isEqualTo(read);
		});
	}

	@Test
	void numbersAreEqualExactlyIfTheirDecimalsCompareEqual() {
		ArgumentSchema open = ArgumentSchema.of(null);
		forEachSeed("numbers", 50_000, (random, seed) -> {
			String one = number(random);
			String other = number(random);
			boolean same = new BigDecimal(one).compareTo(new BigDecimal(other)) == 0;
			assertThat(open.read("{\"n\":" + one + "}", Set.of())
				.fingerprint()
				.equals(open.read("{\"n\":" + other + "}", Set.of()).fingerprint()))
				.as("seed %d, %s and %s", seed, one, other)
				.isEqualTo(same);
		});
	}

	/** From few digits, so that equal ones are common. */
	private static String number(Random random) {
		StringBuilder number = new StringBuilder(random.nextInt(3) == 0 ? "-" : "");
		String[] wholes = { "0", "1", "10", "100", "11", "1000000000000000000000", "9007199254740993" };
		number.append(wholes[random.nextInt(wholes.length)]);
		if (random.nextBoolean()) {
			number.append('.');
			for (int i = random.nextInt(4); i >= 0; i--) {
				number.append(random.nextInt(3) == 0 ? '1' : '0');
			}
		}
		if (random.nextBoolean()) {
			number.append(random.nextBoolean() ? 'e' : 'E').append(new String[] { "", "+", "-" }[random.nextInt(3)]);
			number.append(random.nextInt(3) == 0 ? "00" : "").append(random.nextInt(random.nextInt(20) == 0 ? 400 : 4));
		}
		return number.toString();
	}

	private static void forEachSeed(String name, int times, Trial trial) {
		System.out.println(name + ": -Didem.test.seed=" + SEED);
		for (long seed = SEED; seed != SEED + times; seed++) {
			trial.run(new Random(seed), seed);
		}
	}

	@FunctionalInterface
	private interface Trial {

		void run(Random random, long seed);

	}

}
