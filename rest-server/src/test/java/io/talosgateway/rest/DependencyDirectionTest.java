package io.talosgateway.rest;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.talosgateway.rest.message.IdempotencyKey;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/** Who may depend on whom. A package belongs to a level; a level knows lower levels only. */
@AnalyzeClasses(packages = DependencyDirectionTest.ROOT, importOptions = ImportOption.DoNotIncludeTests.class)
final class DependencyDirectionTest {

    static final String ROOT = "io.talosgateway.rest";

    private static String in(String name) {
        return ROOT + "." + name + "..";
    }

    @ArchTest
    static final ArchRule conceptsHaveNoCycles =
            slices().matching(ROOT + ".(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule levelsKnowLowerLevelsOnly = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("values")
            .definedBy(
                    in("topic"), in("message"), in("errors"), in("config"), in("stages"), in("trace"), in("partition"))
            .layer("ports")
            .definedBy(
                    ROOT + ".journal",
                    in("journal.file"),
                    in("journal.read"),
                    in("journal.recovery"),
                    in("journal.lane"),
                    in("journal.log"),
                    ROOT + ".coordination")
            .layer("adapters")
            .definedBy(in("journal.hdfs"), in("journal.local"), in("coordination.zookeeper"))
            .layer("admission")
            .definedBy(in("admission"))
            .layer("auth")
            .definedBy(in("auth"))
            .layer("placement")
            .definedBy(in("placement"))
            .layer("hosting")
            .definedBy(in("hosting"))
            .layer("use cases")
            .definedBy(
                    in("produce"),
                    in("fetch"),
                    in("topicadmin"),
                    in("statelog"),
                    in("consumergroup"),
                    in("transaction"))
            .layer("serving")
            .definedBy(in("serving"))
            .layer("host protocol")
            .definedBy(in("hostprotocol"))
            .layer("forwarding")
            .definedBy(ROOT + ".forwarding")
            .layer("forwarding adapter")
            .definedBy(in("forwarding.thrift"))
            .layer("routing")
            .definedBy(in("routing"))
            .layer("request logs")
            .definedBy(in("requestlog"))
            .layer("tracing adapter")
            .definedBy(in("tracing"))
            .layer("edges")
            .definedBy(in("http"), in("peer"))
            .layer("bootstrap")
            .definedBy(in("bootstrap"))
            .whereLayer("bootstrap")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("edges")
            .mayOnlyBeAccessedByLayers("bootstrap")
            .whereLayer("tracing adapter")
            .mayOnlyBeAccessedByLayers("bootstrap")
            .whereLayer("request logs")
            .mayOnlyBeAccessedByLayers("edges", "bootstrap")
            .whereLayer("host protocol")
            .mayOnlyBeAccessedByLayers("forwarding adapter", "edges", "bootstrap")
            .whereLayer("forwarding adapter")
            .mayOnlyBeAccessedByLayers("bootstrap")
            .whereLayer("routing")
            .mayOnlyBeAccessedByLayers("edges", "bootstrap")
            .whereLayer("forwarding")
            .mayOnlyBeAccessedByLayers("forwarding adapter", "routing", "bootstrap")
            .whereLayer("use cases")
            .mayOnlyBeAccessedByLayers("serving", "edges", "bootstrap")
            .whereLayer("serving")
            .mayOnlyBeAccessedByLayers("bootstrap")
            .whereLayer("hosting")
            .mayOnlyBeAccessedByLayers("use cases", "serving", "routing", "bootstrap")
            .whereLayer("placement")
            .mayOnlyBeAccessedByLayers("hosting", "bootstrap")
            .whereLayer("auth")
            .mayOnlyBeAccessedByLayers("edges", "bootstrap")
            .whereLayer("admission")
            .mayOnlyBeAccessedByLayers("use cases", "serving", "edges", "bootstrap")
            .whereLayer("adapters")
            .mayOnlyBeAccessedByLayers("bootstrap")
            .whereLayer("ports")
            .mayOnlyBeAccessedByLayers(
                    "adapters", "auth", "placement", "hosting", "use cases", "serving", "routing", "bootstrap");

    @ArchTest
    static final ArchRule roomsOfTheJournalKnowThoseBeforeThem = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("journal")
            .definedBy(ROOT + ".journal")
            .layer("file")
            .definedBy(in("journal.file"))
            .layer("read")
            .definedBy(in("journal.read"))
            .layer("recovery")
            .definedBy(in("journal.recovery"))
            .layer("lane")
            .definedBy(in("journal.lane"))
            .layer("log")
            .definedBy(in("journal.log"))
            .layer("adapters")
            .definedBy(in("journal.hdfs"), in("journal.local"))
            .whereLayer("log")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("lane")
            .mayOnlyBeAccessedByLayers("log")
            .whereLayer("recovery")
            .mayOnlyBeAccessedByLayers("lane", "log")
            .whereLayer("read")
            .mayOnlyBeAccessedByLayers("recovery", "lane", "log")
            .whereLayer("file")
            .mayOnlyBeAccessedByLayers("read", "recovery", "lane", "log")
            .whereLayer("adapters")
            .mayNotBeAccessedByAnyLayer();

    @ArchTest
    static final ArchRule portsDoNotKnowEachOther = noClasses()
            .that()
            .resideInAPackage(in("journal"))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(in("coordination"));

    @ArchTest
    static final ArchRule portsDoNotKnowEachOtherEither = noClasses()
            .that()
            .resideInAPackage(in("coordination"))
            .should()
            .dependOnClassesThat()
            .resideInAPackage(in("journal"));

    @ArchTest
    static final ArchRule openTelemetryStaysInItsAdapter = noClasses()
            .that()
            .resideOutsideOfPackage(in("tracing"))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.opentelemetry..");

    @ArchTest
    static final ArchRule hadoopStaysInItsAdapter = noClasses()
            .that()
            .resideOutsideOfPackage(in("journal.hdfs"))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.hadoop..");

    @ArchTest
    static final ArchRule zooKeeperStaysInItsAdapter = noClasses()
            .that()
            .resideOutsideOfPackage(in("coordination.zookeeper"))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.curator..", "org.apache.zookeeper..");

    @ArchTest
    static final ArchRule jettyStaysAtTheEdge = noClasses()
            .that()
            .resideOutsideOfPackages(in("http"), in("bootstrap"))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.eclipse.jetty..");

    @ArchTest
    static final ArchRule clientsEdgeDoesNotKnowHowRequestsAreHandedOn = noClasses()
            .that()
            .resideInAPackage(in("http"))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(in("hostprotocol"), in("forwarding.thrift"), in("peer"));

    @ArchTest
    static final ArchRule topicsAreFoundByWhoMayUseThem = noClasses()
            .that()
            .resideInAPackage(in("http"))
            .and()
            .doNotHaveSimpleName("AuthorizedTopics")
            .should()
            .dependOnClassesThat()
            .haveSimpleName("TopicDirectory");

    @ArchTest
    static final ArchRule idempotencyKeysOfClientsBelongToTheirPrincipals = noClasses()
            .that()
            .resideInAPackage(in("http"))
            .should()
            .callConstructor(IdempotencyKey.class, String.class, boolean.class);

    @ArchTest
    static final ArchRule requestsAreHandedOnOnce = noClasses()
            .that()
            .resideInAPackage(in("peer"))
            .should()
            .dependOnClassesThat()
            .haveSimpleName("Forwarder");

    @ArchTest
    static final ArchRule thriftStaysAtTheEdge = noClasses()
            .that()
            .resideOutsideOfPackages(
                    in("http.talos"),
                    in("hostprotocol"),
                    in("forwarding.thrift"),
                    in("peer"),
                    // Clients of the Talos interface.
                    in("bootstrap.rehearsal"))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.thrift..", "io.talosgateway.thrift..", "io.talosgateway.wire.thrift..");

    @ArchTest
    static final ArchRule timeIsInjected = noClasses()
            .that()
            .resideOutsideOfPackage(in("bootstrap"))
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callMethod(java.time.Instant.class, "now");
}
