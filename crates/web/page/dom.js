// Making and updating elements. Texts only ever become text nodes, so that no file can bring markup with it.

/** @typedef {Node | string | null | false | undefined} Child */

/**
 * Makes an element. Properties in camel case are set on the element, the others are attributes.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [properties]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  set(element, properties);
  element.append(...present(children));
  return element;
}

/**
 * Makes an element of a drawing.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(element, attributes);
  element.append(...present(children));
  return element;
}

/** @param {Child[]} children @returns {(Node | string)[]} */
function present(children) {
  return /** @type {(Node | string)[]} */ (children.filter((child) => child !== null && child !== undefined && child !== false));
}

/** Names that are set as properties, because the attribute is only the initial value, or because false is a value. */
const PROPERTIES = new Set(["value", "checked", "disabled", "hidden", "selected"]);

/**
 * Sets attributes, listeners (`onclick`) and data (`data-…`) of an element; nothing, null or false removes.
 * @param {Element} element
 * @param {Record<string, any>} properties
 */
export function set(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (name === "text") {
      if (element.textContent !== value) element.textContent = value;
    } else if (typeof value === "function" || PROPERTIES.has(name)) {
      const target = /** @type {any} */ (element);
      if (target[name] !== value) target[name] = value;
    } else if (value === null || value === undefined || value === false) {
      element.removeAttribute(name);
    } else {
      const text = value === true ? "" : String(value);
      if (element.getAttribute(name) !== text) element.setAttribute(name, text);
    }
  }
}

/**
 * The element of the page with this id.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element #${id}`);
  return /** @type {T} */ (element);
}

/** The content of containers, so that they change only when it does. @type {WeakMap<Element, string>} */
const shownKeys = new WeakMap();

/**
 * Replaces the content of a container if what it is made of has changed. The focus stays on the element with the same
 * `data-key`.
 * @param {HTMLElement} container
 * @param {unknown} made Everything that the content depends on.
 * @param {() => Child[]} build
 * @returns {boolean} Whether it has changed.
 */
export function refresh(container, made, build) {
  const key = JSON.stringify(made);
  if (shownKeys.get(container) === key) return false;
  shownKeys.set(container, key);
  const focused = document.activeElement;
  const canHaveKey = focused instanceof HTMLElement || focused instanceof SVGElement;
  const focusKey = canHaveKey && container.contains(focused) ? focused.dataset.key : undefined;
  container.replaceChildren(...present(build()));
  if (focusKey) {
    const again = container.querySelector(`[data-key="${CSS.escape(focusKey)}"]`);
    if (again instanceof HTMLElement || again instanceof SVGElement) again.focus({ preventScroll: true });
  }
  return true;
}

/**
 * A button.
 * @param {string | Node} label
 * @param {() => void} onclick
 * @param {Record<string, any>} [properties]
 */
export function button(label, onclick, properties = {}) {
  return el("button", { type: "button", onclick, ...properties }, label);
}

/**
 * Offers a file for download.
 * @param {string} name
 * @param {Blob} content
 */
export function download(name, content) {
  const address = URL.createObjectURL(content);
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/**
 * Puts a text on the clipboard.
 * @param {string} text
 * @returns {Promise<boolean>} Whether the browser allowed it.
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without a secure origin there is no clipboard, but there is still a command.
    const area = el("textarea", { value: text, class: "visually-hidden", "aria-hidden": "true" });
    (document.querySelector("dialog[open]") ?? document.body).append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    return isCopied;
  }
}
