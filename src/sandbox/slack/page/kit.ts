/** What many parts of the page draw with: icons, ids, what cannot be drawn, and the places of popovers. */
import { html, useEffect, useState } from './preact.ts';

/** A line icon in the text's color; decorative, so hidden from screen readers. */
export const icon = (path: string) =>
  html`<svg viewBox="0 0 20 20" class="icon" aria-hidden="true"><path d=${path} /></svg>`;

export const ICONS = {
  close: 'M5 5l10 10M15 5L5 15',
  eye: 'M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5zM10 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z',
  plug: 'M7 3v4M13 3v4M5 7h10v2a5 5 0 0 1-10 0zM10 14v3',
  more: 'M10 4.5v.01M10 10v.01M10 15.5v.01',
  left: 'M12 5l-5 5 5 5',
  down: 'M6 8l4 4 4-4',
  list: 'M3 5h14M3 10h14M3 15h14',
  reply: 'M3 4h14v9H9l-4 3v-3H3z',
  file: 'M5 2h7l4 4v12H5zM12 2v4h4',
  bolt: 'M11 2L4 11h5l-1 7 8-10h-5z',
};

/** A button with only an icon; `tool`: a smaller one, named while the pointer is over it. */
export function iconButton(look: 'icon-button' | 'tool', words: string, drawing: string, attributes: object) {
  const title = look === 'tool' ? words : undefined;
  return html`
    <button type="button" class=${look} title=${title} aria-label=${words} ...${attributes}>
      ${icon(drawing)}
    </button>`;
}

/** Draws the component again at each interval. */
export function useTick(ms: number) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), ms);
    return () => clearInterval(timer);
  }, []);
}

let ids = 0;
/** A unique id that connects a label to its control: the same for as long as a component stands. */
export function useNewId(prefix: string) {
  const [id] = useState(() => {
    ids += 1;
    return `${prefix}-${ids}`;
  });
  return id;
}

/** Unsupported content with its JSON: left out, a missing block would look like a working one. */
export function renderUnsupported(what: 'block' | 'element', json: unknown, reason = 'unknown type') {
  const kind = typeof json === 'object' && json !== null && 'type' in json ? String(json.type) : 'no type';
  const attributes = { 'data-undrawable': kind, 'data-block': what === 'block' ? kind : undefined };
  return html`
    <div class="undrawable" role="note" ...${attributes}>
      <strong>Can’t show this ${what}: “${kind}”</strong> (${reason})
      <details><summary>JSON</summary><pre>${JSON.stringify(json, null, 2)}</pre></details>
    </div>`;
}

const GAP = 4;
const MARGIN = 8;

/**
 * Puts a popover below its control, or above it where there is no room, and always inside the window, and keeps it
 * there while panes scroll. It is shown already, so it has a size; `side`: the edge of the anchor that it lines up with.
 */
export function keepBeside(floating: HTMLElement, anchor: HTMLElement, side: 'start' | 'end' = 'start') {
  const position = () => {
    const at = anchor.getBoundingClientRect();
    const size = floating.getBoundingClientRect();
    const isRoomBelow = at.bottom + GAP + size.height + MARGIN < window.innerHeight;
    const isRoomAbove = at.top - GAP - size.height > MARGIN;
    const top = isRoomBelow || !isRoomAbove ? at.bottom + GAP : at.top - size.height - GAP;
    const left = side === 'start' ? at.left : at.right - size.width;
    floating.style.top = `${Math.max(MARGIN, Math.min(top, window.innerHeight - size.height - MARGIN))}px`;
    floating.style.left = `${Math.max(MARGIN, Math.min(left, window.innerWidth - size.width - MARGIN))}px`;
  };
  position();
  document.addEventListener('scroll', position, true);
  window.addEventListener('resize', position);
  return () => {
    document.removeEventListener('scroll', position, true);
    window.removeEventListener('resize', position);
  };
}
