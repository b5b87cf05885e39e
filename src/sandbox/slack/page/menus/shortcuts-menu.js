/** The lightning menu: the app's global shortcuts, and its commands to start with. */
/** @import { Shortcut } from '../types.d.ts' */
/** @import { Actions } from '../actions.js' */
/** @import { PageStore } from '../state/store.js' */
import { openMenu } from './menu.js';

/**
 * @param {{store: PageStore, actions: Actions, begin: (line: string) => void, announce: (words: string) => void}} parts
 * @returns {(anchor: HTMLElement) => void}
 */
export function createShortcutsMenu({ store, actions, begin, announce }) {
  /** @param {Shortcut} shortcut */
  const use = async ({ callback_id, name }) => {
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
