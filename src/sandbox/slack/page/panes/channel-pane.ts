/** The open channel: header, messages, composer. */

import type { Actions } from '../actions.ts';
import { createComposer } from '../composer/composer.ts';
import { mentionableNames } from '../composer/mention-completion.ts';
import { elementById } from '../dom/dom.ts';
import type { MessageMenu } from '../menus/message-menu.ts';
import { createMessageList } from '../messages/message-list.ts';
import { isAppChannel, openConversation, pageTitle } from '../navigation/route.ts';
import type { PageStore } from '../state/store.ts';
import type { State } from '../types.ts';
import { createReveal } from './reveal.ts';
import { stickToEnd } from './stick-to-end.ts';

/** Earlier messages are read when the first one is this close. */
const NEAR_START_PX = 200;

type ChannelPaneOptions = {
  readonly store: PageStore;
  readonly actions: Actions;
  readonly now: () => number;
  readonly menu: MessageMenu;
  readonly readEarlier: () => Promise<void>;
  readonly openThread: (ts: string) => void;
  readonly openShortcuts: (anchor: HTMLElement) => void;
};

export function createChannelPane({
  store,
  actions,
  now,
  menu,
  readEarlier,
  openThread,
  openShortcuts,
}: ChannelPaneOptions) {
  const pane = elementById('scroller');
  let isReading = false;
  const earlier = async () => {
    if (isReading || !store.get().hasEarlier) return;
    isReading = true;
    await readEarlier();
    isReading = false;
  };
  const list = createMessageList(elementById('messages'), {
    surfaceOf: ({ ts }) => actions.surfaceOf({ channel: store.get().channel, ts }),
    now,
    actions: { me: () => store.get().me, openThread, openMenu: menu.open, react: menu.react },
    readEarlier: () => void earlier(),
  });
  const { scroll, offerEnd } = createEndButton(pane);
  pane.addEventListener('scroll', () => {
    if (pane.scrollTop < NEAR_START_PX && !scroll.isAtEnd()) void earlier();
  });
  const composer = createComposer(elementById('composer'), {
    label: 'Message',
    commands: () => store.get().commands,
    names: () => mentionableNames(store.get()),
    openShortcuts,
    invite: actions.invite,
    send: (line) => {
      scroll.toEnd();
      return actions.send(line, null);
    },
  });
  elementById('join').addEventListener('click', () => void actions.join());
  const { reveal, showRequested } = createReveal({
    find: list.find,
    leaveEnd: scroll.leave,
    onMissing: () => void earlier(),
  });
  store.subscribe((state, before) => {
    const isElsewhere = state.channel !== before.channel || state.me !== before.me;
    if (isElsewhere) {
      list.restart();
      scroll.toEnd();
      composer.goTo(`${state.me}/${state.channel}`);
    }
    if (isElsewhere || state.conversations !== before.conversations || state.tab !== before.tab) {
      renderHeading(state);
      composer.setPlaceholder(`Message ${pageTitle(state)}${isPhone() ? '' : ', or / for commands'}`);
      if (state.tab === 'messages' && before.tab !== 'messages') scroll.toEnd();
    }
    if (state.commands !== before.commands) composer.offersChanged();
    if (!isElsewhere && state.messages === before.messages && state.problem === before.problem) return;
    const wasAtEnd = scroll.isAtEnd();
    const below = pane.scrollHeight - pane.scrollTop;
    pane.setAttribute('aria-busy', String(state.messages === null));
    renderProblem(state);
    list.show(state.messages ?? [], state);
    if (wasAtEnd) scroll.toEnd();
    else if (isNewer(state, before)) offerEnd('New messages ↓');
    // Messages added above must not move the text being read.
    else if (isEarlier(state, before)) pane.scrollTop = pane.scrollHeight - below;
    showRequested();
  });
  return {
    focus: composer.focus,
    begin: composer.begin,
    reveal,
  };
}

/** The button that leads to the newest message, while it is out of sight. */
function createEndButton(pane: HTMLElement) {
  const toEnd = elementById('to-end');
  const scroll = stickToEnd(pane, elementById('messages'), {
    onArrive() {
      toEnd.hidden = true;
    },
  });
  const offerEnd = (words: string) => {
    toEnd.textContent = words;
    toEnd.hidden = false;
  };
  pane.addEventListener('scroll', () => {
    if (!scroll.isAtEnd() && toEnd.hidden) offerEnd('Jump to latest ↓');
  });
  toEnd.addEventListener('click', scroll.toEnd);
  return { scroll, offerEnd };
}

/** A narrow window has no room for a longer placeholder. */
const isPhone = () => window.matchMedia('(max-width: 720px)').matches;

/** The header, and what a person may do here. */
function renderHeading(state: State) {
  const title = pageTitle(state);
  elementById('channel-title').textContent = title;
  document.title = `${title} · Patchbay sandbox`;
  const isMember = openConversation(state)?.is_member ?? true;
  const isTalk = state.tab === 'messages' || !isAppChannel(state.channel);
  elementById('scroller').hidden = !isTalk;
  elementById('composer').hidden = !isTalk || !isMember;
  elementById('outsider').hidden = !isTalk || isMember;
  elementById('outsider-words').textContent = `You’re viewing ${title}, but you aren’t a member.`;
}

function renderProblem(state: State) {
  const { messages, problem } = state;
  const empty = elementById('empty');
  empty.hidden = messages === null || messages.length > 0;
  empty.textContent = problem
    ? `You can’t view ${pageTitle(state)}: ${problem}`
    : `This is the very beginning of ${isAppChannel(state.channel) ? 'your messages with ' : ''}${pageTitle(state)}. Type / to see the app’s commands.`;
}

const isNewer = (state: State, before: State) =>
  (state.messages?.at(-1)?.ts ?? '') > (before.messages?.at(-1)?.ts ?? '');

const isEarlier = (state: State, before: State) =>
  (state.messages?.[0]?.ts ?? '') < (before.messages?.[0]?.ts ?? '');
