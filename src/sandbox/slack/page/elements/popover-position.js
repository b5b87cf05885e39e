/** Positions a popover: below its control, or above it where there is no room, and always inside the window. */

const GAP = 4;
const MARGIN = 8;

/**
 * @param {HTMLElement} floating shown already, so that it has a size
 * @param {HTMLElement} anchor
 * @param {'start' | 'end'} [side] with which edge of the anchor it lines up
 */
export function positionBeside(floating, anchor, side = 'start') {
  const at = anchor.getBoundingClientRect();
  const size = floating.getBoundingClientRect();
  const isRoomBelow = at.bottom + GAP + size.height + MARGIN < window.innerHeight;
  const isRoomAbove = at.top - GAP - size.height > MARGIN;
  const top = isRoomBelow || !isRoomAbove ? at.bottom + GAP : at.top - size.height - GAP;
  const left = side === 'start' ? at.left : at.right - size.width;
  floating.style.top = `${Math.max(MARGIN, Math.min(top, window.innerHeight - size.height - MARGIN))}px`;
  floating.style.left = `${Math.max(MARGIN, Math.min(left, window.innerWidth - size.width - MARGIN))}px`;
}

/**
 * Keeps it beside its anchor while panes scroll; stops when the popover closes.
 * @param {HTMLElement} floating a popover
 * @param {() => void} position
 */
export function keepPositioned(floating, position) {
  const move = () => {
    if (floating.isConnected && floating.matches(':popover-open')) return position();
    document.removeEventListener('scroll', move, true);
    window.removeEventListener('resize', move);
  };
  document.addEventListener('scroll', move, true);
  window.addEventListener('resize', move);
}
