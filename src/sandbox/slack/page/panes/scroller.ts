/** A pane of messages that stays at its newest message while the reader is there. */
import { useLayoutEffect, useRef } from '../preact.ts';
import type { Message } from '../types.ts';

/** Closer to the end than this counts as being at the end. */
const NEAR_PX = 40;

type ScrollerOptions = {
  /** Another place starts at its end. */
  readonly place: string;
  readonly messages: readonly Message[] | null;
  /** Called after each move of the pane. */
  readonly onMove?: (pane: HTMLElement, isAtEnd: boolean) => void;
  /** A newer message came while the reader looked at something else. */
  readonly onNewer?: () => void;
  /** The `ts` of the message to scroll to as soon as it is drawn. */
  readonly sought: string | null;
  readonly onFound: () => void;
  readonly onMissing?: () => void;
};

export function useScroller(options: ScrollerOptions) {
  const { place, messages, sought } = options;
  const pane = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const scroll = useRef<ReturnType<typeof stickToEnd> | null>(null);
  const latest = useRef(options);
  const before = useRef<Pick<ScrollerOptions, 'place' | 'messages'>>({ place: '', messages: null });
  latest.current = options;
  // As it is before this drawing.
  const wasAtEnd = scroll.current?.isAtEnd() ?? true;
  const below = pane.current ? pane.current.scrollHeight - pane.current.scrollTop : 0;

  useLayoutEffect(() => {
    if (pane.current && content.current) scroll.current = stickToEnd(pane.current, content.current, latest);
  }, []);
  useLayoutEffect(() => {
    const last = before.current;
    before.current = { place, messages };
    if (place !== last.place || wasAtEnd) scroll.current?.toEnd();
    else if ((messages?.at(-1)?.ts ?? '') > (last.messages?.at(-1)?.ts ?? '')) options.onNewer?.();
    // Messages added above must not move the text being read.
    else if (pane.current && (messages?.[0]?.ts ?? '') < (last.messages?.[0]?.ts ?? ''))
      pane.current.scrollTop = pane.current.scrollHeight - below;
  }, [place, messages]);
  useLayoutEffect(() => {
    if (sought === null) return;
    const node = content.current?.querySelector(`[data-ts="${CSS.escape(sought)}"]`);
    if (!node) return options.onMissing?.();
    options.onFound();
    scroll.current?.leave();
    node.scrollIntoView({ block: 'center' });
    node.classList.add('flash');
  });
  return { pane, content, toEnd: () => scroll.current?.toEnd() };
}

/** `pane` scrolls; `content` grows in it. */
function stickToEnd(
  pane: HTMLElement,
  content: HTMLElement,
  options: { readonly current: Pick<ScrollerOptions, 'onMove'> },
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
    options.current.onMove?.(pane, true);
  };
  pane.addEventListener('scroll', () => {
    isKept = isNearEnd();
    options.current.onMove?.(pane, isKept);
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
