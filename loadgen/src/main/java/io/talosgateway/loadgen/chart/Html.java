package io.talosgateway.loadgen.chart;

/** Text as HTML. Stateless. */
public final class Html {

    private Html() {}

    /** Safe as text and in quoted attributes. */
    public static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
