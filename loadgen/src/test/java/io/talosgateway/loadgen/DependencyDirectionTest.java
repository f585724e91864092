package io.talosgateway.loadgen;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/** Who may depend on whom: packages know those below them only, as the root package's description lists them. */
@AnalyzeClasses(packages = DependencyDirectionTest.ROOT, importOptions = ImportOption.DoNotIncludeTests.class)
final class DependencyDirectionTest {

    static final String ROOT = "io.talosgateway.loadgen";

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching(ROOT + ".(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule nobodyKnowsTheCommandLine = classes()
            .that()
            .resideInAPackage(ROOT)
            .should()
            .onlyBeAccessed()
            .byClassesThat()
            .resideInAPackage(ROOT);

    @ArchTest
    static final ArchRule lowestPackagesKnowNothingOfRuns = noClasses()
            .that()
            .resideInAnyPackage(ROOT + ".chart", ROOT + ".process")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOT, ROOT + ".run", ROOT + ".report", ROOT + ".plan", ROOT + ".measure");
}
