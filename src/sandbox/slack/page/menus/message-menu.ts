/** Actions on a message: react, reply, copy, and the app's message shortcuts. */

import type { Actions } from '../actions.ts';
import type { PageStore } from '../state/store.ts';
import { emojiCharacter } from '../text/emoji.ts';
import type { Message, Shortcut } from '../types.ts';
import { openMenu } from './menu.ts';

/** A few reactions that people use at work. */
const REACTIONS = ['+1', 'eyes', 'white_check_mark', 'tada', 'thinking_face'];

type MessageMenuOptions = {
  readonly store: PageStore;
  readonly actions: Actions;
  readonly reply: (ts: string) => void;
  readonly announce: (words: string) => void;
};

export function createMessageMenu({ store, actions, reply, announce }: MessageMenuOptions) {
  const use = async ({ callback_id, name }: Shortcut, { ts }: Message) => {
    const answer = await actions.shortcut(callback_id, ts);
    if (!answer.ok) announce(`${name} failed with the error ${answer.error ?? 'unknown_error'}`);
  };
  const react = async ({ ts, reactions = [] }: Message, name: string) => {
    const { me, world } = store.get();
    const id = world?.users.find((user) => user.name === me)?.id ?? me;
    const isMine = reactions.some((each) => each.name === name && each.users.includes(id));
    const answer = await actions.react(ts, name, isMine);
    if (!answer.ok) announce(`Couldn’t react: ${answer.error ?? 'unknown_error'}`);
  };
  const copy = async (message: Message, node: HTMLElement) => {
    const text = node.querySelector('.content')?.textContent ?? message.text;
    const done = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    announce(done ? 'Copied.' : 'The browser blocked copying.');
  };
  const open = (message: Message, anchor: HTMLElement) => {
    const node = anchor.closest('article') ?? anchor;
    const shortcuts = store.get().shortcuts.filter(({ type }) => type === 'message');
    const isThread = anchor.closest('#thread') !== null;
    openMenu(anchor, 'More actions', [
      {
        title: 'React',
        isRow: true,
        items: message.ephemeral
          ? []
          : REACTIONS.map((name) => ({
              label: emojiCharacter(name) ?? name,
              name: `React with ${name.replaceAll('_', ' ')}`,
              hook: `react-${name}`,
              does: () => void react(message, name),
            })),
      },
      {
        title: '',
        items: [
          ...(isThread || message.ephemeral
            ? []
            : [
                {
                  label: 'Reply in thread',
                  hook: 'reply',
                  does: () => reply(message.thread_ts ?? message.ts),
                },
              ]),
          { label: 'Copy text', hook: 'copy', does: () => void copy(message, node) },
        ],
      },
      {
        title: 'Shortcuts',
        items: message.ephemeral
          ? []
          : shortcuts.map((shortcut) => ({
              label: shortcut.name,
              about: shortcut.description ?? '',
              hook: `shortcut-${shortcut.callback_id}`,
              does: () => void use(shortcut, message),
            })),
      },
    ]);
  };
  return { open, react };
}

export type MessageMenu = ReturnType<typeof createMessageMenu>;
