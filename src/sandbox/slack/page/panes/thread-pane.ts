/** A thread beside its channel. */
import type { Actions } from '../actions.ts';
import { createComposer } from '../composer/composer.ts';
import { mentionableNames } from '../composer/mention-completion.ts';
import { elementById } from '../dom/dom.ts';
import type { MessageMenu } from '../menus/message-menu.ts';
import { createMessageList } from '../messages/message-list.ts';
import { openConversation, pageTitle } from '../navigation/route.ts';
import type { PageStore } from '../state/store.ts';
import { createReveal } from './reveal.ts';
import { stickToEnd } from './stick-to-end.ts';

type ThreadPaneOptions = {
  readonly store: PageStore;
  readonly actions: Actions;
  readonly now: () => number;
  readonly menu: MessageMenu;
};

export function createThreadPane({ store, actions, now, menu }: ThreadPaneOptions) {
  const pane = elementById('thread');
  const close = () => {
    const { thread } = store.get();
    store.set({ thread: null });
    // The focus returns to where the thread was opened.
    const opener = document.querySelector(
      `#messages :is([data-thread="${thread}"], [data-reply="${thread}"])`,
    );
    if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
  };
  const list = createMessageList(elementById('thread-messages'), {
    surfaceOf: ({ ts }) => actions.surfaceOf({ channel: store.get().channel, ts }),
    now,
    actions: { me: () => store.get().me, openThread: null, openMenu: menu.open, react: menu.react },
  });
  const scroll = stickToEnd(elementById('thread-scroller'), elementById('thread-messages'));
  const { reveal, showRequested } = createReveal({ find: list.find, leaveEnd: scroll.leave });
  const composer = createComposer(elementById('thread-composer'), {
    label: 'Reply',
    commands: () => [],
    names: () => mentionableNames(store.get()),
    invite: actions.invite,
    send: (line) => {
      scroll.toEnd();
      return actions.send(line, store.get().thread);
    },
  });
  composer.setPlaceholder('Reply…');
  elementById('thread-close').addEventListener('click', close);
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
      elementById('thread-place').textContent = pageTitle(state);
    }
    const isMember = openConversation(state)?.is_member ?? true;
    elementById('thread-composer').hidden = !isMember;
    if (!isOther && state.threadMessages === before.threadMessages) return;
    const wasAtEnd = scroll.isAtEnd();
    list.show(state.threadMessages ?? []);
    elementById('thread-gone').hidden = state.threadMessages === null || state.threadMessages.length > 0;
    if (isOther || wasAtEnd) scroll.toEnd();
    if (isOther) composer.focus();
    showRequested();
  });
  return { reveal };
}
