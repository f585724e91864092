import { nextStep } from "./api.js";
import { fill, h } from "./dom.js";

/** Says what went wrong, with the code and the next step. */
export function problemBox() {
  const element = h("div.problems", { role: "alert" });
  return {
    element,
    /** @param {?Error} failure null if nothing is wrong; a host that does not answer is told of above every page */
    show(failure, telling = false) {
      if (!failure || failure.name === "AbortError" || (failure.unreachable && !telling)) {
        if (element.hasChildNodes()) {
          fill(element);
        }
        return;
      }
      const text = failure.message;
      const step = nextStep(failure);
      if (element.dataset.said === text && element.hasChildNodes()) {
        return;
      }
      element.dataset.said = text;
      fill(element, h("div.problem", null,
        h("code", null, failure.code || failure.name), " ", text, step ? h("span.step", null, " ", step) : null));
    },
  };
}

/** Runs what a button or form does: one at a time, with its failure shown. */
export function action(box, run) {
  return async event => {
    event.preventDefault();
    const button = event.submitter ?? event.currentTarget;
    if (button.getAttribute("aria-busy") === "true") {
      return;
    }
    button.setAttribute("aria-busy", "true");
    box.show(null);
    try {
      await run(event);
    } catch (failure) {
      box.show(failure, true);
    } finally {
      button.removeAttribute("aria-busy");
    }
  };
}
