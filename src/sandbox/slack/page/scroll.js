/** Keeps a pane at its newest message, but only while the reader is there. */

/** Closer than this to the end counts as being at the end. */
const NEAR_PX = 40;

/**
 * @param {HTMLElement} pane scrolls
 * @param {HTMLElement} content grows
 * @param {{onLeave?: (isAway: boolean) => void}} [options]
 */
export function keepAtEnd(pane, content, { onLeave } = {}) {
  let isAtEnd = true;
  const toEnd = () => {
    pane.scrollTop = pane.scrollHeight;
  };
  pane.addEventListener('scroll', () => {
    isAtEnd = pane.scrollHeight - pane.scrollTop - pane.clientHeight < NEAR_PX;
    onLeave?.(!isAtEnd);
  });
  const observer = new ResizeObserver(() => isAtEnd && toEnd());
  observer.observe(content);
  observer.observe(pane);
  return {
    isAtEnd: () => isAtEnd,
    toEnd() {
      isAtEnd = true;
      toEnd();
      onLeave?.(false);
    },
    /** Something else is being read: new messages no longer pull the pane down. */
    leave() {
      isAtEnd = false;
    },
  };
}
