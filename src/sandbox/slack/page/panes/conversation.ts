/** The open channel, and a thread beside it. */

import { Composer } from '../composer/composer.ts';
import { ICONS, iconButton } from '../kit.ts';
import { MessageList } from '../message.ts';
import type { Page } from '../page.ts';
import { html, useLayoutEffect, useRef, useState } from '../preact.ts';
import { isAppChannel, openConversation, pageTitle } from '../route.ts';
import type { State } from '../types.ts';
import { useScroller } from './scroller.ts';

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
