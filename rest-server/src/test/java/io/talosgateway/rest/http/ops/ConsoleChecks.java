package io.talosgateway.rest.http.ops;

/** Scripts that find what people with bad eyes, or without, cannot use. Each returns what it finds. */
final class ConsoleChecks {

    /** Fields that no label belongs to. */
    static final String UNLABELLED = """
            return [...document.querySelectorAll("input, select, textarea")]
                .filter(field => field.labels.length === 0 && !field.hasAttribute("aria-label"))
                .map(field => field.outerHTML);
            """;

    /** Buttons and links without a name, tables without a caption, headings of columns without a scope. */
    static final String NAMELESS = """
            return [...document.querySelectorAll("button, a, table, th, canvas")].filter(it =>
                it.tagName === "TABLE" ? it.caption === null
                : it.tagName === "TH" ? it.scope === ""
                : it.tagName === "CANVAS" ? it.closest("[role=img][aria-label]") === null
                : it.textContent.trim() === "" && !it.hasAttribute("aria-label")).map(it => it.outerHTML.slice(0, 200));
            """;

    /** Texts whose contrast to their ground is below 4.5 to 1 (WCAG 2.2, AA), where the ground is one color. */
    static final String PALE = """
            const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
            const rgb = color => {
                canvas.clearRect(0, 0, 1, 1);
                canvas.fillStyle = color;
                canvas.fillRect(0, 0, 1, 1);
                return [...canvas.getImageData(0, 0, 1, 1).data];
            };
            const light = ([r, g, b]) => {
                const [x, y, z] = [r, g, b].map(it => it / 255).map(it => (it <= .04045 ? it / 12.92 : ((it + .055) / 1.055) ** 2.4));
                return .2126 * x + .7152 * y + .0722 * z;
            };
            const ground = element => {
                for (let it = element; it; it = it.parentElement) {
                    const color = rgb(getComputedStyle(it).backgroundColor);
                    if (color[3] > 250) {
                        return color;
                    }
                }
                return [255, 255, 255];
            };
            const pale = [];
            for (const element of document.querySelectorAll("body *")) {
                const text = [...element.childNodes].filter(it => it.nodeType === 3).map(it => it.data.trim()).join("");
                const style = getComputedStyle(element);
                if (text === "" || element.getClientRects().length === 0 || element.closest(":disabled, .stale, .unseen")) {
                    continue;
                }
                const [one, other] = [light(rgb(style.color)), light(ground(element))].sort((a, b) => b - a);
                const contrast = (one + .05) / (other + .05);
                if (contrast < 4.5) {
                    pale.push(`${contrast.toFixed(2)}: ${element.tagName} ${element.className} ${text.slice(0, 40)}`);
                }
            }
            return pale;
            """;

    private ConsoleChecks() {}
}
