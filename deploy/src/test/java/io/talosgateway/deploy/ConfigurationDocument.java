package io.talosgateway.deploy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code docs/configuration.md}, made from the configuration file and the settings that the gateway reads. */
final class ConfigurationDocument {

    private static final Pattern SECTION = Pattern.compile("# ---- (.*) ----");
    private static final Pattern SETTING = Pattern.compile("#([a-z.-]+)=(.*)");
    private static final String EXAMPLE = "#   ";

    private final Map<String, String> defaults;
    private final Map<String, String> kinds;
    private final StringBuilder text = new StringBuilder();
    private final List<String> comment = new ArrayList<>();
    /** Of the settings that share the last comment, the first. */
    private String first = "";

    private ConfigurationDocument(Map<String, String> defaults, Map<String, String> kinds) {
        this.defaults = defaults;
        this.kinds = kinds;
    }

    /**
     * @param file the lines of the configuration file
     * @param defaults of this machine
     * @param kinds what values each setting takes
     */
    static String of(List<String> file, Map<String, String> defaults, Map<String, String> kinds) {
        ConfigurationDocument document = new ConfigurationDocument(defaults, kinds);
        file.forEach(document::line);
        return document.text.toString();
    }

    private void line(String line) {
        Matcher section = SECTION.matcher(line);
        Matcher setting = SETTING.matcher(line);
        if (section.matches()) {
            begin(section.group(1));
        } else if (setting.matches()) {
            row(setting.group(1), setting.group(2));
        } else if (line.startsWith(EXAMPLE)) {
            comment.add("`" + line.substring(EXAMPLE.length()) + "`");
        } else if (line.startsWith("# ")) {
            comment.add(escaped(line.substring(2)));
        } else {
            // Whoever writes a blank line begins with something else.
            comment.clear();
            first = "";
        }
    }

    private void begin(String title) {
        if (text.isEmpty()) {
            text.append(introduction());
        }
        comment.clear();
        first = "";
        text.append("\n## %s\n\n| setting | default | values | meaning |\n|---|---|---|---|\n".formatted(title));
    }

    private void row(String key, String written) {
        String meaning;
        if (comment.isEmpty()) {
            meaning = first.isEmpty() ? "" : "see `" + first + "`";
        } else {
            meaning = String.join(" ", comment);
            comment.clear();
            first = key;
        }
        String kind = kinds.get(key);
        if (kind == null || !defaults.containsKey(key)) {
            throw new IllegalArgumentException("the gateway has no setting " + key);
        }
        text.append("| `%s` | %s | %s | %s |\n".formatted(key, shown(key, written), kind, meaning));
    }

    private String shown(String key, String written) {
        if (!written.isEmpty()) {
            return "`" + written + "`";
        }
        return defaults.getOrDefault(key, "").isEmpty() ? "" : "by machine";
    }

    private static String escaped(String text) {
        return text.replace("|", "\\|")
                .replace("<", "\\<")
                .replace("*", "\\*")
                // From the folder in which the document is.
                .replaceAll("docs/([a-z0-9/-]+\\.md)", "[$1]($1)");
    }

    private static String introduction() {
        return """
                # Configuration

                <!-- Written by ConfigurationDocumentTest from conf/talos-gateway.properties and the code. Do not edit. -->

                All settings of `conf/talos-gateway.properties`. `--set KEY=VALUE` on the command line goes over the file. A key that is not
                known stops the start. [operations.md](operations.md) says how to use them; `talos-gateway doctor` checks what they lead to.

                - *by machine*: the default depends on the processors or on the heap, as the meaning says.
                - *size*: `512KiB`, `16MiB`, `1GiB`. *duration*: `500ms`, `30s`, `15m`, `24h`, `7d`. *list*: values with commas between.
                - *secret*: the value, or the file that holds it, such as `@/run/secrets/peer`. On the command line only the latter.
                - `hadoop.NAME`: any option of the Hadoop client, such as `hadoop.dfs.replication=3`.
                """;
    }
}
