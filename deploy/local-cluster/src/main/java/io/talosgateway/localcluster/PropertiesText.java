package io.talosgateway.localcluster;

import java.util.Map;

/** Properties in their file format, in order and without a date, which {@link java.util.Properties} cannot write. */
final class PropertiesText {

    private PropertiesText() {}

    static String of(Map<String, String> properties) {
        StringBuilder text = new StringBuilder();
        properties.forEach((key, value) -> text.append(escape(key, true))
                .append('=')
                .append(escape(value, false))
                .append('\n'));
        return text.toString();
    }

    private static String escape(String text, boolean isKey) {
        StringBuilder escaped = new StringBuilder();
        for (int index = 0; index < text.length(); index++) {
            char c = text.charAt(index);
            if (c == '\n') {
                escaped.append("\\n");
                continue;
            }
            boolean leading = index == 0 && (c == ' ' || c == '#' || c == '!');
            if (c == '\\' || leading || (isKey && (c == ':' || c == '=' || c == ' '))) {
                escaped.append('\\');
            }
            escaped.append(c);
        }
        return escaped.toString();
    }
}
