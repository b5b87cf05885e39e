/** A thread beside its channel. */
/** @import { Acting } from './acting.js' */
/** @import { MessageMenu } from './message-menu.js' */
/** @import { Store } from './store.js' */
import { createComposer } from './composer/composer.js';
import { namesIn } from './composer/naming.js';
import { byId, h } from './dom.js';
import { createMessageList } from './messages/list.js';
import { openConversation, titleOf } from './places.js';
import { keepAtEnd } from './scroll.js';

/** @param {{store: Store, acting: Acting, now: () => number, menu: MessageMenu}} parts */
export function createThreadPane({ store, acting, now, menu }) {
  const pane = byId('thread');
  const close = () => {
    const { thread } = store.get();
    store.set({ thread: null });
    // The focus goes back to where the thread was opened.
    const opener = document.querySelector(
      `#messages :is([data-thread="${thread}"], [data-reply="${thread}"])`,
    );
    if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
  };
  const list = createMessageList(byId('thread-messages'), {
    surfaceOf: ({ ts }) => acting.surfaceOf({ channel: store.get().channel, ts }),
    now,
    doings: { me: () => store.get().me, openThread: null, openMenu: menu.open, react: menu.react },
  });
  const scroll = keepAtEnd(byId('thread-scroller'), byId('thread-messages'));
  const also = h('input', { type: 'checkbox', 'data-broadcast': '' });
  const alsoWords = h('span', {}, '');
  const composer = createComposer(byId('thread-composer'), {
    label: 'Reply',
    commands: () => [],
    names: () => namesIn(store.get()),
    send: (line) => {
      scroll.toEnd();
      const broadcast = also.checked;
      also.checked = false;
      return acting.send(line, store.get().thread, broadcast);
    },
  });
  const alsoRow = h('label', { class: 'also' }, also, alsoWords);
  byId('thread-composer').append(alsoRow);
  composer.setPlaceholder('Reply…');
  byId('thread-close').addEventListener('click', close);
  pane.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) close();
  });
  store.subscribe((state, before) => {
    const isOther = state.thread !== before.thread;
    pane.hidden = state.thread === null;
    if (state.thread === null) return;
    if (isOther) {
      list.restart();
      composer.goTo(`${state.me}/${state.thread}`);
      byId('thread-place').textContent = titleOf(state);
      alsoWords.textContent = `Also send to ${titleOf(state)}`;
    }
    const isMember = openConversation(state)?.is_member ?? true;
    byId('thread-composer').hidden = !isMember;
    if (!isOther && state.threadMessages === before.threadMessages) return;
    const wasAtEnd = scroll.isAtEnd();
    list.show(state.threadMessages ?? []);
    byId('thread-gone').hidden = state.threadMessages === null || state.threadMessages.length > 0;
    if (isOther || wasAtEnd) scroll.toEnd();
    if (isOther) composer.focus();
  });
}
