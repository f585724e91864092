package io.talosgateway.loadgen.chart;

import java.io.StringReader;
import java.util.List;

import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

import static org.assertj.core.api.Assertions.assertThat;

final class LineChartTest {

    private static LineChart chart(List<Series.Point> points, List<Mark> marks) {
        return new LineChart(
                "Latency <ms>",
                "seconds",
                LinearScale.exactlyTo(10),
                LinearScale.upTo(100),
                List.of(new Series("P50 & more", "p50", points)),
                marks,
                List.of(new Note(0, 1, "0 s: \"fine\"")));
    }

    private static Document parse(LineChart chart) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(chart.toHtml())));
    }

    private static Element first(Document document, String name, String style) {
        for (int index = 0; index < document.getElementsByTagName(name).getLength(); index++) {
            Element element = (Element) document.getElementsByTagName(name).item(index);
            if (element.getAttribute("class").equals(style)) {
                return element;
            }
        }
        throw new AssertionError("there is no " + name + " " + style);
    }

    @Test
    void lineGoesFromCornerToCorner() throws Exception {
        Document document = parse(chart(List.of(new Series.Point(0, 0), new Series.Point(10, 100)), List.of()));

        assertThat(first(document, "path", "line p50").getAttribute("d")).isEqualTo("M56.0 214.0L708.0 10.0");
        assertThat(document.getElementsByTagName("figcaption").item(0).getTextContent())
                .isEqualTo("Latency <ms>");
        assertThat(document.getElementsByTagName("title").item(0).getTextContent())
                .isEqualTo("0 s: \"fine\"");
        assertThat(document.getElementsByTagName("li").item(0).getTextContent()).isEqualTo("P50 & more");
    }

    @Test
    void lineHasAGapWhereThereIsNoValue() throws Exception {
        List<Series.Point> points = List.of(
                new Series.Point(0, 0),
                new Series.Point(2, 0),
                new Series.Point(4, Double.NaN),
                new Series.Point(6, 0),
                new Series.Point(8, 0));

        String path = first(parse(chart(points, List.of())), "path", "line p50").getAttribute("d");

        assertThat(path.chars().filter(letter -> letter == 'M')).hasSize(2);
        assertThat(path).doesNotContain("NaN");
    }

    @Test
    void singleValueIsADot() throws Exception {
        Document document = parse(chart(List.of(new Series.Point(5, 50)), List.of()));

        assertThat(first(document, "circle", "dot p50").getAttribute("cx")).isEqualTo("382.0");
    }

    @Test
    void shortPauseIsStillSeenAndIsInTheLegendOnce() throws Exception {
        List<Mark> marks = List.of(
                new Mark("GC", "gc", Mark.Shape.BAND, 1, 1.001),
                new Mark("GC", "gc", Mark.Shape.BAND, 5, 7),
                new Mark("errors", "error", Mark.Shape.FLAG, 2, 3));

        Document document = parse(chart(List.of(), marks));

        assertThat(first(document, "rect", "band gc").getAttribute("width")).isEqualTo("2.0");
        assertThat(first(document, "path", "flag error").getAttribute("d")).startsWith("M219.0 204 ");
        assertThat(document.getElementsByTagName("li").getLength()).isEqualTo(3);
    }

    @Test
    void fileOfItsOwnHasTitleLegendAndStyles() throws Exception {
        LineChart chart = chart(List.of(new Series.Point(0, 10), new Series.Point(10, 20)), List.of());

        Document file = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(chart.toSvg())));

        assertThat(file.getDocumentElement().getTagName()).isEqualTo("svg");
        assertThat(file.getDocumentElement().getAttribute("xmlns")).isEqualTo("http://www.w3.org/2000/svg");
        assertThat(file.getElementsByTagName("style").item(0).getTextContent()).contains("--r1");
        assertThat(first(file, "text", "title").getTextContent()).isEqualTo("Latency <ms>");
        assertThat(first(file, "path", "line p50").getAttribute("d")).startsWith("M");
        assertThat(chart.toSvg()).contains("P50 &amp; more").doesNotContain("<script", "href=");
    }

    @Test
    void labelAtTheEdgeIsNotCutOff() throws Exception {
        LineChart chart = new LineChart(
                "Latency", "share", new PercentileScale(101_000), LinearScale.upTo(1), List.of(), List.of(), List.of());

        Document document = parse(chart);

        Element last = null;
        for (int index = 0; index < document.getElementsByTagName("text").getLength(); index++) {
            Element text = (Element) document.getElementsByTagName("text").item(index);
            last = text.getTextContent().equals("99.999 %") ? text : last;
        }
        // Eight letters of seven: at its tick, at 707, it would end at 735 of 720.
        assertThat(last.getAttribute("x")).isEqualTo("692.0");
    }
}
