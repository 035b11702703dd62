package io.github.idem.identity;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RequestIdTest {

	private static final String PRINT = "5f".repeat(32);

	@Test
	void aRequestIdIsTaskAndCall() {
		assertThat(id("task-1", "call_1", 0)).isEqualTo("task-1:call_1");
	}

	@Test
	void idsThatReadTheSameTogetherAreToldApartByAHash() {
		assertThat(id("a:b", "c", 0)).isEqualTo(id("a", "b:c", 0));
		assertThat(id("a:b", "c", 1)).startsWith("a:b:c~").isNotEqualTo(id("a", "b:c", 1));
	}

	@Test
	void theHashTakesItsPartsForWhatTheyAre() {
		assertThat(CallIdentity.of("t", "", "ab", "c").requestId(0))
			.isNotEqualTo(CallIdentity.of("t", "", "a", "bc").requestId(0));
		assertThat(CallIdentity.of("t", "", "a", "1:b2:cc").requestId(0))
			.isNotEqualTo(CallIdentity.of("t", "", "a1:b", "2:cc").requestId(0));
	}

	@Test
	void aCallWithoutAnIdIsNamedByAHashOfWhatItIs() {
		for (String blank : List.of("", " ", "\t\n", "\u2003")) {
			assertThat(id("task", blank, 0)).matches("task:~[0-9a-f]{12}").isEqualTo(id("task", "", 0));
		}
		assertThat(CallIdentity.of("task", null, "charge", PRINT).requestId(0)).isEqualTo(id("task", "", 0));
		assertThat(CallIdentity.of("task", "", "charge", "00").requestId(0)).isNotEqualTo(id("task", "", 0));
	}

	@Test
	void twoToolsWithTheSameArgumentsAndNoIdsAreTwo() {
		assertThat(CallIdentity.of("task", "", "charge", PRINT).requestId(0))
			.isNotEqualTo(CallIdentity.of("task", "", "refund", PRINT).requestId(0));
	}

	@Test
	void everyCollisionGivesAnotherId() {
		for (String call : List.of("call_1", "")) {
			Set<String> ids = new LinkedHashSet<>();
			for (int collisions = 0; collisions < 50; collisions++) {
				ids.add(id("task", call, collisions));
			}
			assertThat(ids).hasSize(50).allSatisfy(RequestIdTest::assertWellFormed);
		}
		assertThat(id("task", "call_1", 1)).matches("task:call_1~[0-9a-f]{12}");
		assertThat(id("task", "call_1", 2)).matches("task:call_1~[0-9a-f]{24}");
		assertThat(id("task", "call_1", 3)).matches("task:call_1~[0-9a-f]{48}");
		assertThat(id("task", "call_1", 4)).matches("task:call_1~[0-9a-f]{64}");
		assertThat(id("task", "", 1)).matches("task:~[0-9a-f]{24}");
		assertThatIllegalArgumentException().isThrownBy(() -> id("task", "call_1", -1));
	}

	@Test
	void idsOfAnyLengthAndAlphabetGiveShortVisibleAscii() {
		List<String> parts = List.of("a", "a".repeat(127), "a".repeat(128), "a".repeat(254), "a".repeat(255),
				"a".repeat(4096), "b".repeat(4096), "aufgabe-\u00fc", "\u4efb\u52a1", "\ud83d\ude00", "\ud83d",
				"\ud83e", "two words", "a\u0000b", "a\nb", "a\u007fb", "~", "!", ":", "\u0301");
		Set<List<String>> pairs = new LinkedHashSet<>();
		Set<String> ids = new LinkedHashSet<>();
		for (String task : parts) {
			for (String call : parts) {
				pairs.add(List.of(task, call));
				ids.add(id(task, call, 0));
				for (int collisions = 0; collisions < 8; collisions++) {
					assertWellFormed(id(task, call, collisions));
				}
			}
		}
		// "a:a" and its like never come twice here, so nothing may be lost by shortening.
		assertThat(ids).hasSize(pairs.size());
	}

	@Test
	void onlyThePartThatOffendsIsReplacedAndBySomethingAnybodyCanCompute() {
		// printf %s 'aufgabe-ü' | sha256sum
		String hash = "f3d99640c66dc2baac5eea3bf601e6b4be5f6fb9ab77437169afdb604f27f532";
		assertThat(id("aufgabe-\u00fc", "call_1", 0)).isEqualTo(hash + ":call_1");
		assertThat(id("task", "aufgabe-\u00fc", 0)).isEqualTo("task:" + hash);
		assertThat(id("a".repeat(200), "call_1", 0)).isEqualTo("a".repeat(200) + ":call_1");
		assertThat(id("a".repeat(200), "c".repeat(54), 0)).hasSize(255).endsWith("c");
		assertThat(id("a".repeat(200), "c".repeat(55), 0)).matches("[0-9a-f]{64}:c{55}");
		assertThat(id("t".repeat(10), "c".repeat(4096), 0)).matches("t{10}:[0-9a-f]{64}");
		assertThat(id("t".repeat(4096), "c".repeat(4096), 4)).matches("[0-9a-f]{64}:[0-9a-f]{64}~[0-9a-f]{64}");
	}

	@Test
	void anIdStaysTheSameOverVersionsAndRestarts() {
		assertThat(id("task-1", "", 0)).isEqualTo("task-1:~b06ec69bf3b4");
		assertThat(id("task-1", "call_1", 5))
			.isEqualTo("task-1:call_1~6104bd19880a7821bbfe5b64376716bd712b942e0b7c958995d46fab8d6735b1");
	}

	@Test
	void equalCallsThatAreEachMeantAreNumbered() {
		CallIdentity first = CallIdentity.occurrence("task", "", "charge", PRINT, 1);
		CallIdentity second = CallIdentity.occurrence("task", "", "charge", PRINT, 2);
		assertThat(first.dedupKey()).isEqualTo(PRINT + "#1").isNotEqualTo(second.dedupKey());
		assertThat(first.fingerprint()).isEqualTo(second.fingerprint());
		assertThat(first.requestId(0)).isNotEqualTo(second.requestId(0));
		assertThat(CallIdentity.of("task", "", "charge", PRINT).dedupKey()).isEqualTo(PRINT);
		assertThatIllegalArgumentException().isThrownBy(() -> CallIdentity.occurrence("task", "", "charge", PRINT, 0));
	}

	@Test
	void aBlankTaskIsNoTask() {
		assertThatIllegalArgumentException().isThrownBy(() -> CallIdentity.of(" ", "call_1", "charge", PRINT));
	}

	private static String id(String task, String call, int collisions) {
		return CallIdentity.of(task, call, "charge", PRINT).requestId(collisions);
	}

	private static void assertWellFormed(String id) {
		assertThat(id).hasSizeLessThanOrEqualTo(255).matches("[\\x21-\\x7e]+");
	}

}
