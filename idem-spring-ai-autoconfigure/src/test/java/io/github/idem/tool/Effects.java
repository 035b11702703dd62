package io.github.idem.tool;

import java.util.Map;

import io.github.idem.Downstream;
import io.github.idem.EffectBoundary;

/** What is known of tools' effects where nothing was said. */
final class Effects {

	static final EffectPolicies NONE = new EffectPolicies(Downstream.AUTO, EffectBoundary.ANYWHERE, Map::of, () -> true,
			() -> false);

	private Effects() {
	}

}
