/** Positions a popover: below its control, or above it where there is no room, and always inside the window. */

const GAP = 4;
const MARGIN = 8;

/** `floating` is shown already, so it has a size; `side`: the edge of the anchor that it lines up with. */
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
