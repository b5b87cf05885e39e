/** Small DOM helpers. Text only ever becomes text nodes: no code of the page sets HTML. */

type Child = Node | string | null | undefined | false;

/** Creates an element. Attributes that are `false`, `null` or `undefined` are left out; functions become listeners. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string | number | boolean | null | undefined | ((event: Event) => void)> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === 'function') node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? '' : String(value));
  }
  append(node, children);
  return node;
}

function append(parent: Node, children: readonly Child[]) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.appendChild(typeof child === 'string' ? document.createTextNode(child) : child);
  }
}

/** The element with that id in the page's own markup. */
export function elementById<Kind extends HTMLElement = HTMLElement>(id: string, kind?: new () => Kind): Kind {
  const node = document.getElementById(id);
  if (!node || (kind && !(node instanceof kind))) throw new Error(`The page has no #${id} of the right kind`);
  // Checked above; the cast only carries the default of the type parameter.
  return node as Kind;
}

const SVG = 'http://www.w3.org/2000/svg';

/** A line icon in the text's color; decorative, so hidden from screen readers. */
export function icon(path: string) {
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
  left: 'M12 5l-5 5 5 5',
  right: 'M8 5l5 5-5 5',
  reply: 'M3 4h14v9H9l-4 3v-3H3z',
  file: 'M5 2h7l4 4v12H5zM12 2v4h4',
  bolt: 'M11 2L4 11h5l-1 7 8-10h-5z',
  plus: 'M10 4v12M4 10h12',
  find: 'M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12zM13.5 13.5L17 17',
};

let ids = 0;
/** A unique id that connects a label to its control. */
export function newId(prefix: string) {
  ids += 1;
  return `${prefix}-${ids}`;
}
