/** The open channel: its head, its messages, its composer. */
/** @import { State } from './types.d.ts' */
/** @import { Acting } from './acting.js' */
/** @import { Store } from './store.js' */
import { createComposer } from './composer/composer.js';
import { byId } from './dom.js';
import { channelOf, createMessageList } from './messages/list.js';
import { BOT_NAME } from './names.js';
import { keepAtEnd } from './scroll.js';

/** @param {{store: Store, acting: Acting, now: () => number}} parts */
export function createChannelPane({ store, acting, now }) {
  const pane = byId('scroller');
  const toEnd = byId('to-end');
  const list = createMessageList(byId('messages'), {
    surfaceOf: ({ ts }) => acting.surfaceOf({ channel: store.get().channel, ts }),
    now,
    openThread: (thread) => store.set({ thread }),
  });
  const scroll = keepAtEnd(pane, byId('messages'), {
    onArrive() {
      toEnd.hidden = true;
    },
  });
  toEnd.addEventListener('click', scroll.toEnd);
  const composer = createComposer(byId('composer'), {
    label: 'Message',
    commands: () => store.get().commands,
    send: (line) => {
      scroll.toEnd();
      return acting.send(line, null);
    },
  });
  /** @type {string | null} */
  let wanted = null;

  const showWanted = () => {
    const node = wanted === null ? null : list.reveal(wanted);
    if (!node) return;
    wanted = null;
    scroll.leave();
    node.scrollIntoView({ block: 'center' });
    node.classList.add('flash');
  };
  store.subscribe((state, before) => {
    const isElsewhere = state.channel !== before.channel || state.me !== before.me;
    if (isElsewhere) {
      list.restart();
      scroll.toEnd();
      composer.clearFailure();
      drawHead(state);
      composer.setPlaceholder(`Message ${titleOf(state.channel)}, or / for commands`);
    }
    if (!isElsewhere && state.messages === before.messages && state.problem === before.problem) return;
    const wasAtEnd = scroll.isAtEnd();
    pane.setAttribute('aria-busy', String(state.messages === null));
    drawProblem(state);
    list.show(channelOf(state.messages ?? []));
    if (wasAtEnd) scroll.toEnd();
    else if (isNewer(state, before)) toEnd.hidden = false;
    showWanted();
  });
  return {
    focus: composer.focus,
    /** Brings that message into sight as soon as it is there. @param {string} ts */
    reveal(ts) {
      wanted = ts;
      showWanted();
    },
  };
}

/** @param {string} channel */
const titleOf = (channel) => (channel.startsWith('@') ? BOT_NAME : `#${channel}`);

/** @param {State} state */
function drawHead({ channel }) {
  const title = titleOf(channel);
  byId('channel-title').textContent = title;
  document.title = `${title} · Patchbay sandbox`;
}

/** @param {State} state */
function drawProblem({ channel, messages, problem }) {
  const empty = byId('empty');
  empty.hidden = messages === null || messages.length > 0;
  empty.textContent = problem
    ? `You cannot see ${titleOf(channel)}: ${problem}`
    : `This is the very beginning of ${titleOf(channel)}. Type / to see what the app can do.`;
}

/**
 * @param {State} state
 * @param {State} before
 */
const isNewer = (state, before) => (state.messages?.at(-1)?.ts ?? '') > (before.messages?.at(-1)?.ts ?? '');
