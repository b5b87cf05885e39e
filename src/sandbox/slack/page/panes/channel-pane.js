/** The open channel: header, messages, composer. */
/** @import { State } from '../types.d.ts' */
/** @import { Actions } from '../actions.js' */
/** @import { MessageMenu } from '../menus/message-menu.js' */
/** @import { PageStore } from '../state/store.js' */
import { createComposer } from '../composer/composer.js';
import { mentionableNames } from '../composer/mention-completion.js';
import { elementById } from '../dom/dom.js';
import { createMessageList } from '../messages/message-list.js';
import { isAppChannel, openConversation, pageTitle } from '../navigation/conversation-names.js';
import { stickToEnd } from './stick-to-end.js';

/** Earlier messages are read when the first one is this close. */
const NEAR_START_PX = 200;

/**
 * @param {{store: PageStore, actions: Actions, now: () => number, menu: MessageMenu, readEarlier: () => Promise<void>, openThread: (ts: string) => void, openShortcuts: (anchor: HTMLElement) => void}} parts
 */
export function createChannelPane({ store, actions, now, menu, readEarlier, openThread, openShortcuts }) {
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
    send: (line) => {
      scroll.toEnd();
      return actions.send(line, null);
    },
  });
  elementById('join').addEventListener('click', () => void actions.join());
  /** @type {string | null} */
  let requestedTs = null;

  const showWanted = () => {
    const node = requestedTs === null ? null : list.find(requestedTs);
    if (!node) return requestedTs === null ? undefined : void earlier();
    requestedTs = null;
    scroll.leave();
    node.scrollIntoView({ block: 'center' });
    node.classList.add('flash');
  };
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
    showWanted();
  });
  return {
    focus: composer.focus,
    begin: composer.begin,
    /** Scrolls to that message as soon as it is there. @param {string} ts */
    reveal(ts) {
      requestedTs = ts;
      showWanted();
    },
  };
}

/** The button that leads to the newest message, while it is out of sight. @param {HTMLElement} pane */
function createEndButton(pane) {
  const toEnd = elementById('to-end');
  const scroll = stickToEnd(pane, elementById('messages'), {
    onArrive() {
      toEnd.hidden = true;
    },
  });
  const offerEnd = (/** @type {string} */ words) => {
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

/** The header, and what a person may do here. @param {State} state */
function renderHeading(state) {
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

/** @param {State} state */
function renderProblem(state) {
  const { messages, problem } = state;
  const empty = elementById('empty');
  empty.hidden = messages === null || messages.length > 0;
  empty.textContent = problem
    ? `You can’t view ${pageTitle(state)}: ${problem}`
    : `This is the very beginning of ${isAppChannel(state.channel) ? 'your messages with ' : ''}${pageTitle(state)}. Type / to see the app’s commands.`;
}

/**
 * @param {State} state
 * @param {State} before
 */
const isNewer = (state, before) => (state.messages?.at(-1)?.ts ?? '') > (before.messages?.at(-1)?.ts ?? '');

/**
 * @param {State} state
 * @param {State} before
 */
const isEarlier = (state, before) => (state.messages?.[0]?.ts ?? '') < (before.messages?.[0]?.ts ?? '');
