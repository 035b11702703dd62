package io.github.idem;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import org.jspecify.annotations.NullMarked;

import org.springframework.ai.tool.ToolCallback;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/** Who may import whom. */
@AnalyzeClasses(packages = "io.github.idem", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

	@ArchTest
	static final ArchRule theRootDependsOnNothingOfOurs = classes().that()
		.resideInAPackage("io.github.idem")
		.should()
		.onlyDependOnClassesThat(
				resideInAnyPackage("io.github.idem", "java..", "org.jspecify..").or(type(ToolCallback.class))
					.or(type(ToolCallback[].class)));

	@ArchTest
	static final ArchRule identityDependsOnTheRootAndJacksonOnly = classes().that()
		.resideInAPackage("io.github.idem.identity")
		.should()
		.onlyDependOnClassesThat(resideInAnyPackage("io.github.idem", "io.github.idem.identity", "java..",
				"org.jspecify..", "tools.jackson..", "com.fasterxml.jackson.annotation.."));

	@ArchTest
	static final ArchRule theEngineDependsOnNoFramework = classes().that()
		.resideInAPackage("io.github.idem.operation")
		.should()
		.onlyDependOnClassesThat(resideInAnyPackage("io.github.idem", "io.github.idem.identity",
				"io.github.idem.operation", "java..", "org.jspecify..", "org.slf4j..", "tools.jackson.."));

	@ArchTest
	static final ArchRule adaptersNeverImportEachOther = slices().matching("io.github.idem.(*)")
		.namingSlices("$1")
		.should()
		.notDependOnEachOther()
		.ignoreDependency(DescribedPredicate.alwaysTrue(),
				resideInAnyPackage("io.github.idem.operation", "io.github.idem.identity"))
		.ignoreDependency(resideInAPackage("io.github.idem.autoconfigure"), DescribedPredicate.alwaysTrue());

	@ArchTest
	static final ArchRule nobodyImportsAutoConfiguration = noClasses().that()
		.resideOutsideOfPackage("io.github.idem.autoconfigure")
		.should()
		.dependOnClassesThat()
		.resideInAPackage("io.github.idem.autoconfigure");

	@ArchTest
	static final ArchRule onlyTheEngineClaims = noClasses().that()
		.resideInAPackage("io.github.idem.tool")
		.should()
		.dependOnClassesThat()
		.haveFullyQualifiedName("io.github.idem.operation.OperationStore");

	@ArchTest
	static final ArchRule sqlStaysInTheStore = noClasses().that()
		.resideOutsideOfPackages("io.github.idem.jdbc", "io.github.idem.autoconfigure")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("java.sql..", "javax.sql..", "org.springframework.jdbc..");

	@ArchTest
	static final ArchRule everyPackageIsNullMarked = classes()
		.should(new ArchCondition<JavaClass>("reside in a null-marked package") {
			@Override
			public void check(JavaClass item, ConditionEvents events) {
				boolean marked = item.getPackage().isAnnotatedWith(NullMarked.class);
				events.add(new SimpleConditionEvent(item, marked,
						item.getName() + (marked ? " is" : " is not") + " in a null-marked package"));
			}
		});

	@ArchTest
	static final ArchRule nothingIsWrittenToTheConsole = GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;

	@ArchTest
	static final ArchRule noStaticStateChanges = fields().that().areStatic().should().beFinal();

}
