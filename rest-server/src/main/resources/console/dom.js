/**
 * Elements. Text is put in as text, never as markup: messages, names and errors are written by strangers.
 */

/**
 * An element.
 *
 * @param {string} tag its name, with classes after dots: "div.card"
 * @param {Object} [attributes] `on…` is a listener; a boolean is there or not
 * @param {...(Node|string|number|null|undefined|Array)} children
 */
export function h(tag, attributes, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length > 0) {
    element.className = classes.join(" ");
  }
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) {
      continue;
    }
    if (key.startsWith("on")) {
      element.addEventListener(key.slice(2), value);
    } else {
      element.setAttribute(key, value === true ? "" : String(value));
    }
  }
  element.append(...nodes(children));
  return element;
}

function nodes(children) {
  return children.flat(Infinity)
    .filter(child => child !== null && child !== undefined && child !== false)
    .map(child => (child instanceof Node ? child : document.createTextNode(String(child))));
}

/** Puts children in the place of those that are there. */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
  return element;
}

/** Sets the text of an element, if it is another one: an element that stays does not move. */
export function say(element, text) {
  const wanted = text === null || text === undefined ? "" : String(text);
  if (element.textContent !== wanted) {
    element.textContent = wanted;
  }
}

let fields = 0;

/** A labelled input, select or textarea. */
export function field(label, input, hint) {
  const id = input.id || `field-${++fields}`;
  input.id = id;
  const described = hint ? h("small", { id: `${id}-hint` }, hint) : null;
  if (described) {
    input.setAttribute("aria-describedby", described.id);
  }
  return h("div.field", null, h("label", { for: id }, label), input, described);
}

/**
 * A table.
 *
 * @param {string} caption for whoever does not see the page
 * @param {Array<string|{text: string, number: boolean}>} columns
 */
export function table(caption, columns) {
  const body = h("tbody");
  const element = h("div.scroll", { tabindex: "0", role: "group", "aria-label": caption },
    h("table", null,
      h("caption.unseen", null, caption),
      h("thead", null, h("tr", null, columns.map(column => h(
        column.number ? "th.number" : "th", { scope: "col" },
        column.text === undefined ? column : column.text)))),
      body));
  return {
    element,
    body,
    rows(rows, whenEmpty) {
      fill(body, rows.length > 0 ? rows : h("tr", null, h("td.empty", { colspan: columns.length }, whenEmpty)));
    },
  };
}

/** A dialog that Escape closes. `build` makes what is in it, and is given what closes it; resolves with the value of that, if any. */
export function dialog(title, build, wide = false) {
  return new Promise(resolve => {
    const heading = `dialog-${++fields}`;
    let result;
    const box = h(wide ? "dialog.wide" : "dialog", { "aria-labelledby": heading, onclose: () => {
      box.remove();
      resolve(result);
    } });
    const close = value => {
      result = value;
      box.close();
    };
    box.append(h("h2", { id: heading }, title), ...nodes([build(close)]));
    document.body.append(box);
    box.showModal();
  });
}
