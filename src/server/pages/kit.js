// What every page makes its elements with, and finds them by.

/** The element of this page that has an id.
 *  @template {keyof Ids} K
 *  @param {K} id */
export const at = (id) => /** @type {Ids[K]} */ (document.getElementById(id));

/** The first element within another that a selector names; it is there.
 *  @template {string} K
 *  @param {ParentNode} within
 *  @param {K} css */
export const one = (within, css) =>
  /** @type {K extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[K] : Field} */ (within.querySelector(css));

/** All elements within another that a selector names.
 *  @param {ParentNode} within
 *  @param {string} css */
export const all = (within, css) => /** @type {Field[]} */ ([...within.querySelectorAll(css)]);

/** The fields of a form by their names. @param {HTMLFormElement} form */
export const fieldsOf = (form) => /** @type {Record<string, Field>} */ (/** @type {unknown} */ (form.elements));

/** The element that an event happened at. @param {Event} event */
export const target = (event) => /** @type {Field} */ (event.target);

/** What has the focus. */
export const focused = () => /** @type {HTMLElement} */ (document.activeElement ?? document.body);

/** What a page that was saved has in itself; null where it is the server's.
 *  @param {"words" | "faces" | "game" | "name"} what
 *  @returns {any} */
export function embedded(what) {
  const data = document.getElementById(`own-${what}`);
  return data && JSON.parse(data.textContent ?? "null");
}

/** A new element: its classes, or its properties, then its content.
 *  @template {keyof HTMLElementTagNameMap} K
 *  @param {K} name
 *  @param {string | Record<string, unknown>} [of]
 *  @param {...(Node | string | number)} content
 *  @returns {HTMLElementTagNameMap[K]} */
export function made(name, of = "", ...content) {
  const element = document.createElement(name);
  Object.assign(element, typeof of === "string" ? { className: of } : of);
  element.append(...content.filter((part) => part !== "").map((part) => (typeof part === "number" ? String(part) : part)));
  return element;
}

/** A new button that does something when it is pressed.
 *  @param {string} text
 *  @param {(event: MouseEvent) => unknown} onclick */
export const button = (text, onclick, classes = "") => made("button", { type: "button", className: classes, onclick }, text);

/** Lines of text as elements.
 *  @param {"li" | "p"} name
 *  @param {string[]} texts */
export const lines = (name, texts) => texts.map((text) => made(name, "", text));

/** A new shape of a drawing.
 *  @param {string} name
 *  @param {Record<string, string | number>} attributes */
export function shape(name, attributes, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [of, value] of Object.entries(attributes)) element.setAttribute(of, String(value));
  element.textContent = text;
  return element;
}

/** A line of corners as an attribute of a shape. @param {number[][]} corners */
export const points = (corners) => corners.map((corner) => corner.join(",")).join(" ");

/** Says something in a line; `again` is offered as a button.
 *  @param {HTMLElement} line
 *  @param {string} text
 *  @param {{ wrong?: boolean, label?: string, again?: (() => unknown) | null }} [how] */
export function say(line, text, { wrong = true, label = "", again = null } = {}) {
  line.className = wrong ? "loss" : "soft";
  line.replaceChildren(text);
  if (again) line.append(" ", button(label, again));
}
