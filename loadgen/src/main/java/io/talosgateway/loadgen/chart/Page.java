package io.talosgateway.loadgen.chart;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A page that needs nothing but itself, for light and dark screens; its charts are drawn by uPlot. For one thread. */
public final class Page {

    private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/dist/uPlot";

    private final StringBuilder body = new StringBuilder();
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

    /** @param html as it is */
    public void add(String html) {
        body.append(html).append('\n');
    }

    /** @param text is escaped */
    public void element(String name, String text) {
        add("<%s>%s</%s>".formatted(name, escape(text), name));
    }

    /** @param text is escaped */
    public void warning(String text) {
        add("<p class=\"warning\">" + escape(text) + "</p>");
    }

    /** Under a heading, if the table has a title. */
    public void add(Table table) {
        if (!table.title().isEmpty()) {
            element("h2", table.title());
        }
        add(table.toHtml());
    }

    public void add(Chart chart) {
        add(chart.toHtml());
    }

    /** The whole page. */
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
