/** A confirm dialog: Escape means no. A click outside does nothing, or a double click would answer it. */

import { h, newId } from '../dom/dom.ts';
import { plainNode, renderText } from '../text/text-object.ts';
import type { ConfirmDialog, ViewerContext } from '../types.ts';

export function confirmAction(confirm: ConfirmDialog, reader: ViewerContext): Promise<boolean> {
  const titleId = newId('confirm');
  const isDanger = confirm.style === 'danger';
  const dialog = h(
    'dialog',
    { class: 'dialog confirm', 'aria-labelledby': titleId },
    h(
      'form',
      { method: 'dialog' },
      h('h2', { id: titleId }, plainNode(confirm.title)),
      h('div', { class: 'confirm-text' }, renderText(confirm.text, reader)),
      h(
        'div',
        { class: 'dialog-buttons' },
        h('button', { class: 'button', value: 'no', 'data-confirm': 'no' }, plainNode(confirm.deny)),
        h(
          'button',
          { class: `button ${isDanger ? 'danger' : 'primary'}`, value: 'yes', 'data-confirm': 'yes' },
          plainNode(confirm.confirm),
        ),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
  });
}
