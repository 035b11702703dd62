package io.github.idem.tool;

import java.util.HashSet;
import java.util.Set;

import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.json.JsonMapper;

/**
 * Finds types that tell calls apart by what their schema says is nothing: members under a
 * second name ({@code @JsonAlias}), any member at all ({@code @JsonAnySetter}), or a
 * {@code null} where a member that is missing keeps a default. Equal fingerprints must
 * mean equal arguments, so for such tools the schema alone does not decide what counts.
 */
final class SchemaGaps {

	private final JsonMapper mapper;

	private final Set<String> declared;

	private final Set<JavaType> seen = new HashSet<>();

	private SchemaGaps(JsonMapper mapper, Set<String> declared) {
		this.mapper = mapper;
		this.declared = declared;
	}

	/**
	 * Whether there is a gap.
	 * @param mapper reads the types
	 * @param types the types of a tool's arguments
	 * @param declared all names that the tool's schema declares, at any depth
	 */
	static boolean exist(JsonMapper mapper, Iterable<JavaType> types, Set<String> declared) {
		SchemaGaps gaps = new SchemaGaps(mapper, declared);
		for (JavaType type : types) {
			if (gaps.in(type)) {
				return true;
			}
		}
		return false;
	}

	private boolean in(JavaType type) {
		if (!this.seen.add(type)) {
			return false;
		}
		JavaType content = type.getContentType();
		if (content != null) {
			return in(content);
		}
		String name = type.getRawClass().getName();
		if (type.isPrimitive() || type.isEnumType() || name.startsWith("java.") || name.startsWith("tools.jackson.")) {
			return false;
		}
		var config = this.mapper.deserializationConfig();
		var introspector = config.classIntrospectorInstance();
		var annotated = introspector.introspectClassAnnotations(type);
		var subtypes = config.getSubtypeResolver().collectAndResolveSubtypesByTypeId(config, annotated);
		return inBean(introspector.introspectForDeserialization(type, annotated))
				|| subtypes.stream().anyMatch((subtype) -> in(this.mapper.constructType(subtype.getType())));
	}

	private boolean inBean(BeanDescription bean) {
		if (bean.findAnySetterAccessor() != null) {
			return true;
		}
		for (BeanPropertyDefinition property : bean.findProperties()) {
			boolean undeclared = property.couldDeserialize() && !this.declared.contains(property.getName());
			if (undeclared || !property.findAliases().isEmpty() || hasDefault(bean, property)
					|| in(property.getPrimaryType())) {
				return true;
			}
		}
		return false;
	}

	/** A record or other class with a creator gets null for what is missing. */
	private static boolean hasDefault(BeanDescription bean, BeanPropertyDefinition property) {
		if (property.hasConstructorParameter() || property.getPrimaryType().isPrimitive()) {
			return false;
		}
		AnnotatedMember accessor = property.getAccessor();
		if (property.getPrimaryType().isReferenceType() || accessor == null) {
			return true;
		}
		try {
			accessor.fixAccess(true);
			Object fresh = bean.instantiateBean(true);
			return fresh == null || accessor.getValue(fresh) != null;
		}
		catch (IllegalArgumentException ex) {
			return true;
		}
	}

}
