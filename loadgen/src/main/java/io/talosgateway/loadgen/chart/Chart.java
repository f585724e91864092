package io.talosgateway.loadgen.chart;

import java.util.List;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * Lines over a common axis, drawn by uPlot in the browser.
 *
 * @param title what is shown, and in which unit
 * @param xLabel what the x axis is
 */
public record Chart(String title, String xLabel, Axis x, Axis y, List<Series> series, List<Mark> marks) {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** How an axis is divided; {@code page.js} knows them by these names. */
    public enum Axis {
        /** In equal steps, from zero. */
        LINEAR,
        /** Each power of ten takes the same room; what is not positive is left out. */
        LOG,
        /** Shares in percent, each further nine with the same room: 90 %, 99 %, 99.9 %. */
        NINES
    }

    /** Of latencies; {@code x} is the share of the requests. */
    public static Chart percentiles(String title, List<Series> series) {
        return new Chart(title, "share of the requests that were not slower", Axis.NINES, Axis.LOG, series, List.of());
    }

    /**
     * Over the time that counts.
     *
     * @param latency whether the scale is logarithmic
     */
    public static Chart overTime(String title, boolean latency, List<Series> series, List<Mark> marks) {
        return new Chart(
                title,
                "seconds since the end of the warm-up",
                Axis.LINEAR,
                latency ? Axis.LOG : Axis.LINEAR,
                series,
                marks);
    }

    String toHtml() {
        try {
            return "<figure class=\"plot\" data-plot=\"%s\"><figcaption>%s</figcaption></figure>\n"
                    .formatted(Page.escape(MAPPER.writeValueAsString(this)), Page.escape(title));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
