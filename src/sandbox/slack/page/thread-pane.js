/** A thread beside its channel. */
/** @import { Acting } from './acting.js' */
/** @import { Store } from './store.js' */
import { createComposer } from './composer/composer.js';
import { byId } from './dom.js';
import { createMessageList, threadOf } from './messages/list.js';
import { keepAtEnd } from './scroll.js';

/** @param {{store: Store, acting: Acting, now: () => number}} parts */
export function createThreadPane({ store, acting, now }) {
  const pane = byId('thread');
  const close = () => store.set({ thread: null });
  const list = createMessageList(byId('thread-messages'), {
    surfaceOf: ({ ts }) => acting.surfaceOf({ channel: store.get().channel, ts }),
    now,
    openThread: null,
  });
  const scroll = keepAtEnd(byId('thread-scroller'), byId('thread-messages'));
  const composer = createComposer(byId('thread-composer'), {
    label: 'Reply',
    commands: () => [],
    send: (line) => {
      scroll.toEnd();
      return acting.send(line, store.get().thread);
    },
  });
  composer.setPlaceholder('Reply…');
  byId('thread-close').addEventListener('click', close);
  pane.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) close();
  });
  store.subscribe((state, before) => {
    const isOther = state.thread !== before.thread;
    pane.hidden = state.thread === null;
    if (state.thread === null) return;
    if (isOther) list.restart();
    if (!isOther && state.messages === before.messages) return;
    list.show(threadOf(state.messages ?? [], state.thread));
    if (isOther) {
      scroll.toEnd();
      composer.focus();
    }
  });
}
