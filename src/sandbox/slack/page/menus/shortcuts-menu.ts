/** The lightning menu: the app's global shortcuts, and its commands to start with. */

import type { Actions } from '../actions.ts';
import type { PageStore } from '../state/store.ts';
import type { Shortcut } from '../types.ts';
import { openMenu } from './menu.ts';

type ShortcutsMenuOptions = {
  readonly store: PageStore;
  readonly actions: Actions;
  readonly begin: (line: string) => void;
  readonly announce: (words: string) => void;
};

export function createShortcutsMenu({
  store,
  actions,
  begin,
  announce,
}: ShortcutsMenuOptions): (anchor: HTMLElement) => void {
  const use = async ({ callback_id, name }: Shortcut) => {
    const answer = await actions.shortcut(callback_id);
    if (!answer.ok) announce(`${name} failed with the error ${answer.error ?? 'unknown_error'}`);
  };
  return (anchor) => {
    const { shortcuts, commands } = store.get();
    const groups = [
      {
        title: 'Shortcuts',
        items: shortcuts
          .filter(({ type }) => type === 'global')
          .map((shortcut) => ({
            label: shortcut.name,
            about: shortcut.description ?? '',
            hook: `shortcut-${shortcut.callback_id}`,
            does: () => void use(shortcut),
          })),
      },
      {
        title: 'Commands',
        items: commands.map(({ command, description }) => ({
          label: command,
          about: description,
          hook: `command-${command.slice(1)}`,
          does: () => begin(`${command} `),
        })),
      },
    ];
    openMenu(anchor, 'Shortcuts and commands', groups, 'start');
  };
}
