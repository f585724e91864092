package io.talosgateway.loadgen.chart;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * What there is to say, in its order: as a page that needs nothing but itself, for light and dark screens, whose charts are drawn by
 * uPlot; and, without them, as text for a terminal. For one thread.
 */
public final class Page {

    private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/dist/uPlot";

    private final StringBuilder body = new StringBuilder();
    private final StringBuilder text = new StringBuilder();
    private final String title;

    public Page(String title) {
        this.title = title;
    }

    /** Safe as text and in quoted attributes. */
    public static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** @param html as it is; nothing on a terminal */
    public void add(String html) {
        body.append(html).append('\n');
    }

    /** @param content is escaped */
    public void element(String name, String content) {
        add("<%s>%s</%s>".formatted(name, escape(content), name));
        text.append(content).append('\n');
    }

    /** @param content is escaped */
    public void warning(String content) {
        add("<p class=\"warning\">" + escape(content) + "</p>");
        text.append(content).append('\n');
    }

    /** Under a heading, if the table has a title. A table without rows is left out. */
    public void add(Table table) {
        if (table.rows().isEmpty()) {
            return;
        }
        if (!toText().endsWith("\n\n")) {
            text.append('\n');
        }
        if (!table.title().isEmpty()) {
            add("<h2>%s</h2>".formatted(escape(table.title())));
            text.append(table.title()).append(":\n");
        }
        add(table.toHtml());
        text.append(table.toText()).append('\n');
    }

    public void add(Chart chart) {
        add(chart.toHtml());
    }

    public String toText() {
        return text.toString();
    }

    public String toHtml() {
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <title>%s</title>
                <style>
                %s
                %s</style>
                </head>
                <body>
                <main>
                %s</main>
                <script>%s</script>
                <script>%s</script>
                </body>
                </html>
                """.formatted(
                        escape(title),
                        resource(UPLOT + ".min.css"),
                        resource("page.css"),
                        body,
                        resource(UPLOT + ".iife.min.js"),
                        resource("page.js"));
    }

    /** A file beside this class, or of uPlot (MIT licence). */
    private static String resource(String name) {
        try (InputStream file = Page.class.getResourceAsStream(name)) {
            if (file == null) {
                throw new IllegalStateException("the jar has no " + name);
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
