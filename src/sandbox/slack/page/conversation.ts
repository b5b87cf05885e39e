/** The open channel, and a thread beside it. */

import type { Page } from './actions.ts';
import { Composer } from './composer.ts';
import { ICONS, iconButton } from './kit.ts';
import { MessageList } from './message.ts';
import { html, useLayoutEffect, useRef, useState } from './preact.ts';
import { isAppChannel, openConversation, pageTitle } from './state/store.ts';
import type { Message, State } from './types.ts';

/** Earlier messages are read when the first one is this close. */
const NEAR_START_PX = 200;

type PaneProps = { readonly page: Page; readonly state: State };

/** The messages of a channel, and what a person may do there. */
export function ChannelPane({ page, state }: PaneProps) {
  const { me, channel, tab, messages, problem, hasEarlier, firstNew } = state;
  const [endWords, setEndWords] = useState<string | null>(null);
  const isReading = useRef(false);
  const earlier = async () => {
    if (isReading.current || !page.store.get().hasEarlier) return;
    isReading.current = true;
    await page.readEarlier();
    isReading.current = false;
  };
  const { pane, content, toEnd } = useScroller({
    place: `${me}/${channel}/${tab}`,
    messages,
    onMove({ scrollTop }, isAtEnd) {
      if (isAtEnd) return setEndWords(null);
      setEndWords((words) => words ?? 'Jump to latest ↓');
      if (scrollTop < NEAR_START_PX) void earlier();
    },
    onNewer: () => setEndWords('New messages ↓'),
    sought: page.sought.channel,
    onFound() {
      page.sought.channel = null;
    },
    onMissing: () => void earlier(),
  });
  const title = pageTitle(state);
  const isApp = isAppChannel(channel);
  const isMember = openConversation(state)?.is_member ?? true;
  const isTalk = tab === 'messages' || !isApp;
  const send = (line: string) => {
    toEnd();
    return page.actions.send(line, null);
  };
  const beginning = `This is the very beginning of ${isApp ? 'your messages with ' : ''}${title}. Type / to see the app’s commands.`;
  const earlierButton = html`
    <button type="button" class="button earlier" onClick=${earlier}>Show earlier messages</button>`;
  return html`
    <div
      id="scroller"
      ref=${pane}
      class="scroller"
      role="log"
      aria-label="Messages"
      aria-busy=${messages === null}
      hidden=${!isTalk}
    >
      <div id="messages" ref=${content} class="messages">
        ${hasEarlier && earlierButton}
        <${MessageList}
          key=${`${me}/${channel}`}
          page=${page}
          messages=${messages ?? []}
          firstNew=${firstNew}
          openThread=${page.openThread}
        />
      </div>
      <p class="empty" hidden=${messages === null || messages.length > 0}>
        ${problem ? `You can’t view ${title}: ${problem}` : beginning}
      </p>
    </div>
    <div class="to-end-place">
      <button id="to-end" class="button small" type="button" hidden=${endWords === null} onClick=${toEnd}>
        ${endWords}
      </button>
    </div>
    <div id="composer" class="composer" hidden=${!isTalk || !isMember}>
      <${Composer}
        page=${page}
        label=${`Message ${title}${isPhone() ? '' : ', or / for commands'}`}
        place=${`${me}/${channel}`}
        commands=${state.commands}
        send=${send}
        hasShortcuts=${true}
      />
    </div>
    <div id="outsider" class="outsider" hidden=${!isTalk || isMember}>
      <p>You’re viewing ${title}, but you aren’t a member.</p>
      <button class="button primary" type="button" onClick=${() => void page.actions.join()}>Join</button>
    </div>`;
}

/** A narrow window has no room for a longer placeholder. */
const isPhone = () => window.matchMedia('(max-width: 720px)').matches;

/** A thread beside its channel. */
export function ThreadPane({ page, state }: PaneProps) {
  const { me, thread, threadMessages } = state;
  const root = useRef<HTMLElement>(null);
  /** The thread that was open last keeps its draft. */
  const last = useRef('');
  last.current = thread ?? last.current;
  const place = `${me}/${last.current}`;
  const { pane, content, toEnd } = useScroller({
    place,
    messages: threadMessages,
    sought: page.sought.thread,
    onFound() {
      page.sought.thread = null;
    },
  });
  useLayoutEffect(() => {
    const composer = root.current?.querySelector('[data-composer]');
    if (thread !== null && composer instanceof HTMLElement) composer.focus();
  }, [thread]);
  const close = () => {
    page.store.set({ thread: null });
    // The focus returns to where the thread was opened.
    const opener = document.querySelector(
      `#messages :is([data-thread="${thread}"], [data-reply="${thread}"])`,
    );
    if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) close();
  };
  const send = (line: string) => {
    toEnd();
    return page.actions.send(line, page.store.get().thread);
  };
  const isGone = threadMessages !== null && threadMessages.length === 0;
  const isMember = openConversation(state)?.is_member ?? true;
  return html`
    <aside
      id="thread"
      ref=${root}
      class="side"
      aria-label="Thread"
      hidden=${thread === null}
      onKeyDown=${onKeyDown}
    >
      <header class="pane-head">
        <h2>Thread <small id="thread-place">${pageTitle(state)}</small></h2>
        ${iconButton('icon-button', 'Close thread', ICONS.close, { id: 'thread-close', onClick: close })}
      </header>
      <div ref=${pane} class="scroller" role="log" aria-label="Thread">
        <div ref=${content} class="messages">
          <${MessageList} key=${place} page=${page} messages=${threadMessages ?? []} openThread=${null} />
        </div>
        <p class="empty" hidden=${!isGone}>This thread no longer exists.</p>
      </div>
      <div class="composer" hidden=${!isMember}>
        <${Composer} page=${page} label="Reply…" place=${place} commands=${NO_COMMANDS} send=${send} />
      </div>
    </aside>`;
}

/** Slack has no commands in threads. */
const NO_COMMANDS: State['commands'] = [];

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

/** A pane of messages that stays at its newest message while the reader is there. */
function useScroller(options: ScrollerOptions) {
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
