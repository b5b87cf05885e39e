/** Small helpers over the DOM. Text only ever becomes text nodes: nothing here, or elsewhere, sets HTML. */

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * Makes an element. Attributes that are `false`, `null` or `undefined` are left out; functions become listeners.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === 'function') node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  append(node, children);
  return node;
}

/**
 * @param {Node} parent
 * @param {readonly Child[]} children
 */
export function append(parent, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.appendChild(typeof child === 'string' ? document.createTextNode(child) : child);
  }
}

/**
 * The element of the page's own markup with that id.
 * @template {HTMLElement} [Kind=HTMLElement]
 * @param {string} id
 * @param {new () => Kind} [kind]
 * @returns {Kind}
 */
export function byId(id, kind) {
  const node = document.getElementById(id);
  if (!node || (kind && !(node instanceof kind))) throw new Error(`The page has no #${id} of the right kind`);
  // Checked above; the cast only carries the default of the type parameter.
  return /** @type {Kind} */ (node);
}

const SVG = 'http://www.w3.org/2000/svg';

/**
 * A line drawing in the text's colour; decorative, so hidden from screen readers.
 * @param {string} path
 */
export function icon(path) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 20 20');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(SVG, 'path');
  line.setAttribute('d', path);
  svg.appendChild(line);
  return svg;
}

export const ICONS = {
  close: 'M5 5l10 10M15 5L5 15',
  eye: 'M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5zM10 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z',
  plug: 'M7 3v4M13 3v4M5 7h10v2a5 5 0 0 1-10 0zM10 14v3',
  more: 'M10 4.5v.01M10 10v.01M10 15.5v.01',
  reply: 'M3 4h14v9H9l-4 3v-3H3z',
};

let ids = 0;
/** An id for joining labels to controls, unique in this page. @param {string} prefix */
export function newId(prefix) {
  ids += 1;
  return `${prefix}-${ids}`;
}
