package io.github.idem.sample.standin;

import java.util.List;

/**
 * What the model answers, in order. Where a conversation stands in the script is read
 * from the conversation itself, so any number of them can run at once, and a request that
 * is repeated starts from the top.
 */
public record ModelScript(List<Answer> answers) {

	public ModelScript {
		answers = List.copyOf(answers);
		if (answers.isEmpty()) {
			throw new IllegalArgumentException("a script has at least one answer");
		}
	}

	public static ModelScript of(Answer... answers) {
		return new ModelScript(List.of(answers));
	}

	/**
	 * The answer to a conversation.
	 * @param given how often the model has answered in it
	 * @return the next answer; the last one, if there is no next
	 */
	Answer next(int given) {
		return this.answers.get(Math.min(given, this.answers.size() - 1));
	}

}
