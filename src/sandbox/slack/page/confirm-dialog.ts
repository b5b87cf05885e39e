/** A confirm dialog: Escape means no. A click outside does nothing, or a double click would answer it. */
import { html, render } from './preact.ts';
import { plainNode, renderText } from './text/text-object.ts';
import type { ConfirmDialog, ViewerContext } from './types.ts';

export function confirmAction(confirm: ConfirmDialog, reader: ViewerContext): Promise<boolean> {
  const place = document.createElement('div');
  document.body.append(place);
  const look = confirm.style === 'danger' ? 'danger' : 'primary';
  return new Promise((resolve) => {
    const close = ({ currentTarget }: Event) => {
      place.remove();
      resolve(currentTarget instanceof HTMLDialogElement && currentTarget.returnValue === 'yes');
    };
    render(
      html`
        <dialog class="dialog confirm" aria-labelledby="confirm-title" onClose=${close}>
          <form method="dialog">
            <h2 id="confirm-title">${plainNode(confirm.title)}</h2>
            <div class="confirm-text">${renderText(confirm.text, reader)}</div>
            <div class="dialog-buttons">
              <button class="button" value="no" data-confirm="no">${plainNode(confirm.deny)}</button>
              <button class="button ${look}" value="yes" data-confirm="yes">${plainNode(confirm.confirm)}</button>
            </div>
          </form>
        </dialog>`,
      place,
    );
    place.querySelector('dialog')?.showModal();
  });
}
