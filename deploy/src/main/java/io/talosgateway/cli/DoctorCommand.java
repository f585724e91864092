package io.talosgateway.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.talosgateway.doctor.Doctor;
import io.talosgateway.doctor.Finding;
import io.talosgateway.doctor.Finding.Level;
import io.talosgateway.rest.bootstrap.ConfigException;
import io.talosgateway.rest.bootstrap.GatewayConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Checks everything that a gateway of this configuration depends on. */
@Command(
        name = "doctor",
        description = {
            "Checks everything that a gateway of this configuration depends on, before it is started or while it runs: files and "
                    + "permissions, certificates, disks, ZooKeeper, HDFS, ports, other hosts, and clocks.",
            "Says what to do about each problem. Changes nothing, and leaves nothing behind. Run it as the gateway's user."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:nothing failed; there may be warnings", "1:something failed", "2:wrong usage"},
        footer = {
            "",
            "Examples:",
            "  talos-gateway doctor --config /etc/talos/talos-gateway.properties",
            "  talos-gateway doctor --json | jq '.findings[] | select(.level != \"OK\")'"
        })
final class DoctorCommand implements Callable<Integer> {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(names = "--json", description = "Print one JSON document.")
    private boolean json;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "30s",
            description = "How long each check may take. Default: ${DEFAULT-VALUE}.")
    private Duration timeout = Duration.ofSeconds(30);

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        ArrayNode all = MAPPER.createArrayNode();
        Level worst;
        try {
            worst = doctor().run(new Doctor.Listener() {

                @Override
                public void stillRunning(String check) {
                    PrintWriter err = spec.commandLine().getErr();
                    err.println("checking " + check + " ...");
                    err.flush();
                }

                @Override
                public void found(String check, List<Finding> findings) {
                    findings.forEach(finding -> tell(check, finding, all));
                }
            });
        } catch (ConfigException e) {
            tell("configuration", new Finding(Level.FAIL, e.getMessage() + " Nothing else was checked.", null), all);
            worst = Level.FAIL;
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            ObjectNode document = MAPPER.createObjectNode();
            document.put("result", worst.name());
            document.set("findings", all);
            out.println(MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(document));
        } else {
            out.println(
                    switch (worst) {
                        case OK -> "Everything is in order.";
                        case WARN -> "A gateway can run, but there are warnings.";
                        case FAIL -> "Something failed.";
                    });
        }
        out.flush();
        return worst == Level.FAIL ? 1 : 0;
    }

    private Doctor doctor() {
        // A part of the time of a check, so that it says itself what does not answer.
        String shorter = Math.max(1_000, timeout.toMillis() / 2) + "ms";
        Map<String, String> values = options.values();
        Map<String, String> bounded = options.values();
        bounded.put("storage.connect-timeout", shorter);
        bounded.put("storage.fence-timeout", shorter);
        bounded.put("zookeeper.connect-timeout", shorter);
        return Doctor.of(
                GatewayConfig.of(bounded), values, options.files(), timeout, System::nanoTime, InstantSource.system());
    }

    private void tell(String check, Finding finding, ArrayNode all) {
        if (json) {
            all.addObject()
                    .put("check", check)
                    .put("level", finding.level().name())
                    .put("message", finding.text())
                    .put("advice", finding.advice());
            return;
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(String.format(Locale.ROOT, "%-5s %-14s %s", finding.level(), check, finding.text()));
        if (finding.advice() != null) {
            out.println(" ".repeat(21) + "-> " + finding.advice());
        }
        out.flush();
    }
}
