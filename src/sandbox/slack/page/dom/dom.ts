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
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}

/** A node of a drawing. Colors come from the style sheet by class, so that they follow light and dark mode. */
export function svg(
  tag: string,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: (Node | string)[]
) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/** A line icon in the text's color; decorative, so hidden from screen readers. */
export const icon = (path: string) =>
  svg('svg', { viewBox: '0 0 20 20', class: 'icon', 'aria-hidden': 'true' }, svg('path', { d: path }));

export const ICONS = {
  close: 'M5 5l10 10M15 5L5 15',
  eye: 'M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5zM10 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z',
  plug: 'M7 3v4M13 3v4M5 7h10v2a5 5 0 0 1-10 0zM10 14v3',
  more: 'M10 4.5v.01M10 10v.01M10 15.5v.01',
  left: 'M12 5l-5 5 5 5',
  down: 'M6 8l4 4 4-4',
  reply: 'M3 4h14v9H9l-4 3v-3H3z',
  file: 'M5 2h7l4 4v12H5zM12 2v4h4',
  bolt: 'M11 2L4 11h5l-1 7 8-10h-5z',
};

/** The element with that id in the page's own markup. */
export function elementById(id: string): HTMLElement {
  const node = document.getElementById(id);
  if (!node) throw new Error(`The page has no #${id}`);
  return node;
}

let ids = 0;
/** A unique id that connects a label to its control. */
export function newId(prefix: string) {
  ids += 1;
  return `${prefix}-${ids}`;
}

/** Unsupported content with its JSON: left out, a missing block would look like a working one. */
export function renderUnsupported(
  what: 'block' | 'element',
  json: unknown,
  reason = 'unknown type',
): HTMLElement {
  const kind = typeof json === 'object' && json !== null && 'type' in json ? String(json.type) : 'no type';
  return h(
    'div',
    { class: 'undrawable', role: 'note', 'data-undrawable': kind },
    h('strong', {}, `Can’t show this ${what}: “${kind}”`),
    ` (${reason})`,
    h('details', {}, h('summary', {}, 'JSON'), h('pre', {}, JSON.stringify(json, null, 2))),
  );
}

const ANNOUNCE_MS = 5_000;

/** Short messages about what just happened, shown at the bottom and read by screen readers. */
export function createAnnouncer() {
  const announcer = h('p', { class: 'saying', role: 'status', hidden: true });
  document.body.append(announcer);
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (words: string) => {
    clearTimeout(timer);
    announcer.textContent = words;
    announcer.hidden = false;
    timer = setTimeout(() => {
      announcer.hidden = true;
    }, ANNOUNCE_MS);
  };
}

const GAP = 4;
const MARGIN = 8;

/**
 * Puts a popover below its control, or above it where there is no room, and always inside the window. It is shown
 * already, so it has a size; `side`: the edge of the anchor that it lines up with.
 */
export function positionBeside(floating: HTMLElement, anchor: HTMLElement, side: 'start' | 'end' = 'start') {
  const at = anchor.getBoundingClientRect();
  const size = floating.getBoundingClientRect();
  const isRoomBelow = at.bottom + GAP + size.height + MARGIN < window.innerHeight;
  const isRoomAbove = at.top - GAP - size.height > MARGIN;
  const top = isRoomBelow || !isRoomAbove ? at.bottom + GAP : at.top - size.height - GAP;
  const left = side === 'start' ? at.left : at.right - size.width;
  floating.style.top = `${Math.max(MARGIN, Math.min(top, window.innerHeight - size.height - MARGIN))}px`;
  floating.style.left = `${Math.max(MARGIN, Math.min(left, window.innerWidth - size.width - MARGIN))}px`;
}

/** Keeps it beside its anchor while panes scroll; stops when the popover closes. */
export function keepPositioned(floating: HTMLElement, position: () => void) {
  const move = () => {
    if (floating.isConnected && floating.matches(':popover-open')) return position();
    document.removeEventListener('scroll', move, true);
    window.removeEventListener('resize', move);
  };
  document.addEventListener('scroll', move, true);
  window.addEventListener('resize', move);
}
