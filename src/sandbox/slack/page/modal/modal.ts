/** A person's open views: only the topmost is visible, those below keep their input. */

import { h } from '../dom/dom.ts';
import { preserveInput } from '../dom/preserve-input.ts';
import type { SlackView } from '../types.ts';
import { rememberFocus } from './focus.ts';
import { type ModalOptions, renderModalView, titleId } from './render-view.ts';

type DrawnViews = Map<string, { hash: string; node: HTMLElement }>;

export function createModals(options: ModalOptions) {
  const dialog = h('dialog', { class: 'dialog modal', 'data-modal': '' });
  document.body.append(dialog);
  const drawn: DrawnViews = new Map();
  let open: readonly SlackView[] = [];
  let giveBackFocus: (() => void) | null = null;
  dialog.addEventListener('cancel', (event) => {
    if (event.target !== dialog) return;
    // Assumption (surfaces/modals): Escape goes one view back, like the view's own button.
    event.preventDefault();
    const top = open.at(-1);
    if (top) void options.close(top, false);
  });
  return {
    /** The lowest view first. */
    show(views: readonly SlackView[]) {
      if (open.length === 0 && views.length > 0) giveBackFocus = rememberFocus();
      open = views;
      const top = views.at(-1);
      for (const [id, { node }] of drawn)
        if (!views.some((view) => view.id === id)) {
          node.remove();
          drawn.delete(id);
        }
      for (const view of views) redraw(dialog, drawn, view, options);
      for (const [id, { node }] of drawn) node.hidden = id !== top?.id;
      mark(dialog, top);
      if (top || !giveBackFocus) return;
      giveBackFocus();
      giveBackFocus = null;
    },
  };
}

function redraw(dialog: HTMLElement, drawn: DrawnViews, view: SlackView, options: ModalOptions) {
  const hash = JSON.stringify([view.title, view.submit, view.close, view.blocks]);
  const before = drawn.get(view.id);
  if (before?.hash === hash) return;
  const node = renderModalView(view, options);
  if (before) preserveInput(before.node, node, () => before.node.replaceWith(node));
  else dialog.append(node);
  drawn.set(view.id, { hash, node });
}

/** Opens or closes the dialog; focuses the first field of a view that just came to the top. */
function mark(dialog: HTMLDialogElement, top: SlackView | undefined) {
  const isNew = dialog.getAttribute('data-view-id') !== (top?.id ?? null);
  if (!isNew) return;
  if (!top) {
    dialog.removeAttribute('data-view-id');
    dialog.close();
    return;
  }
  dialog.setAttribute('data-view-id', top.id);
  dialog.setAttribute('aria-labelledby', titleId(top));
  if (!dialog.open) dialog.showModal();
  const visibleForm = 'form:not([hidden])';
  const field =
    dialog.querySelector(`${visibleForm} [data-focus-first] input`) ??
    dialog.querySelector(`${visibleForm} [data-focus-first]`) ??
    dialog.querySelector(`${visibleForm} :is(input, textarea, [contenteditable])[data-element]`) ??
    dialog.querySelector(`${visibleForm} [data-element] :is(input, button), ${visibleForm} [data-element]`);
  // A window is read from its top, also where its first field is far below.
  if (field instanceof HTMLElement) field.focus({ preventScroll: true });
}
