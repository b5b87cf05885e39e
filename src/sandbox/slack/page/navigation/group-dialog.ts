/** Starts a direct message with several people and the app. */

import { h } from '../dom/dom.ts';
import { api } from '../state/api.ts';
import { BOT_NAME } from '../state/names.ts';
import type { PageStore } from '../state/store.ts';

type GroupDialogOptions = {
  readonly store: PageStore;
  readonly go: (me: string, channel: string) => void;
};

/** The result opens the dialog. */
export function createGroupDialog({ store, go }: GroupDialogOptions): () => void {
  const people = h('div', { class: 'group-people' });
  const failure = h('p', { class: 'composer-failure', role: 'alert' });
  const cancel = h('button', { type: 'button', class: 'button', 'data-group': 'cancel' }, 'Cancel');
  const start = h('button', { type: 'submit', class: 'button primary', 'data-group': 'start' }, 'Start');
  const form = h(
    'form',
    { method: 'dialog' },
    h('h2', {}, 'New group message'),
    h('p', {}, `Who should be in it? You and ${BOT_NAME} are included.`),
    people,
    failure,
    h('div', { class: 'dialog-buttons' }, cancel, start),
  );
  const dialog = h('dialog', { class: 'dialog confirm', 'aria-label': 'New group message' }, form);
  document.body.append(dialog);
  cancel.addEventListener('click', () => dialog.close());
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const chosen = new FormData(form).getAll('person').map(String);
    if (chosen.length === 0) {
      failure.textContent = 'Choose at least one person.';
      return;
    }
    const { me } = store.get();
    const answer = await api.open({ user: me, people: chosen });
    if (!answer.ok || answer.channel === undefined) {
      failure.textContent = `Couldn’t start the conversation: ${answer.error ?? 'unknown_error'}`;
      return;
    }
    dialog.close();
    go(me, answer.channel);
  });
  return () => {
    const { world, me } = store.get();
    const others = (world?.users ?? []).filter(({ name }) => name !== me);
    people.replaceChildren(
      ...others.map(({ name }) =>
        h('label', {}, h('input', { type: 'checkbox', name: 'person', value: name }), ` ${name}`),
      ),
    );
    failure.textContent = '';
    dialog.showModal();
  };
}
