/** Keeps a pane at its newest message while the reader is there. */

/** Closer to the end than this counts as being at the end. */
const NEAR_PX = 40;

/** `pane` scrolls; `content` grows in it. */
export function stickToEnd(
  pane: HTMLElement,
  content: HTMLElement,
  { onArrive }: { onArrive?: () => void } = {},
) {
  let isKept = true;
  /** Where the pane was scrolled by code: only a person scrolls up from there, and that event may arrive late. */
  let putAt = 0;
  const isNearEnd = () => pane.scrollHeight - pane.scrollTop - pane.clientHeight < NEAR_PX;
  const isAtEnd = () => {
    if (isKept && !isNearEnd() && pane.scrollTop < putAt - NEAR_PX) isKept = false;
    return isKept;
  };
  const toEnd = () => {
    isKept = true;
    pane.scrollTop = pane.scrollHeight;
    putAt = pane.scrollTop;
    onArrive?.();
  };
  pane.addEventListener('scroll', () => {
    isKept = isNearEnd();
    if (isKept) onArrive?.();
  });
  const observer = new ResizeObserver(() => isAtEnd() && toEnd());
  observer.observe(content);
  observer.observe(pane);
  return {
    isAtEnd,
    toEnd,
    /** The reader looks at something else: new messages no longer scroll the pane. */
    leave() {
      isKept = false;
    },
  };
}
