/** A person's open views: only the topmost is visible, those below keep their input. */

import { renderBlocks } from '../blocks/blocks.ts';
import { h, ICONS, icon, newId } from '../dom/dom.ts';
import { replaceKeeping } from '../dom/keyed-list.ts';
import { fieldHandleOf, readFormValues } from '../elements/action.ts';
import { plainNode } from '../text/text-object.ts';
import type { ControlAnswer, RenderContext, SlackView, SubmitAnswer } from '../types.ts';

type ModalOptions = {
  readonly surfaceOf: (view: SlackView) => RenderContext;
  readonly submit: (
    view: SlackView,
    values: Record<string, Record<string, unknown>>,
  ) => Promise<SubmitAnswer>;
  /** `all`: with the views below it. */
  readonly close: (view: SlackView, all: boolean) => Promise<ControlAnswer>;
};

export function createModals(options: ModalOptions) {
  const dialog = h('dialog', { class: 'dialog modal', 'data-modal': '' });
  document.body.append(dialog);
  const drawn = new Map<string, { hash: string; node: HTMLElement }>();
  let open: readonly SlackView[] = [];
  let giveBackFocus: (() => void) | null = null;
  dialog.addEventListener('cancel', (event) => {
    if (event.target !== dialog) return;
    // Assumption (surfaces/modals): Escape goes one view back, like the view's own button.
    event.preventDefault();
    const top = open.at(-1);
    if (top) void options.close(top, false);
  });
  const redraw = (view: SlackView) => {
    const hash = JSON.stringify([view.title, view.submit, view.close, view.blocks]);
    const before = drawn.get(view.id);
    if (before?.hash === hash) return;
    const node = renderView(view, options);
    if (before) replaceKeeping(before.node, node);
    else dialog.append(node);
    drawn.set(view.id, { hash, node });
  };
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
      for (const view of views) redraw(view);
      for (const [id, { node }] of drawn) node.hidden = id !== top?.id;
      mark(dialog, top);
      if (top || !giveBackFocus) return;
      giveBackFocus();
      giveBackFocus = null;
    },
  };
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
    dialog.querySelector(`${visibleForm} :is(input, textarea)[data-element]`) ??
    dialog.querySelector(`${visibleForm} [data-element] :is(input, button), ${visibleForm} [data-element]`);
  // A window is read from its top, also where its first field is far below.
  if (field instanceof HTMLElement) field.focus({ preventScroll: true });
}

/** Returns the focus to where it was when the dialog opened, even if that node was rendered again. */
function rememberFocus() {
  const before = document.activeElement;
  const element = before?.closest('[data-action-id]');
  const message = element?.closest('[data-ts]');
  return () => {
    // The browser has already returned it to a node that still exists.
    if (document.activeElement !== document.body && document.activeElement !== null) return;
    const twin = element && document.querySelector(selectorOf(message ?? null, element));
    const target = before?.isConnected ? before : (twin ?? document.querySelector('[data-composer]'));
    if (target instanceof HTMLElement) target.focus();
  };
}

function selectorOf(message: Element | null, element: Element) {
  const scope = message ? `[data-ts="${CSS.escape(message.getAttribute('data-ts') ?? '')}"] ` : '';
  const names = ['data-block-id', 'data-action-id'].map(
    (name) => `[${name}="${CSS.escape(element.getAttribute(name) ?? '')}"]`,
  );
  return scope + names.join('');
}

/** Id of the title that labels the dialog. */
const titleId = (view: SlackView) => `title-${view.id}`;

/** One view: title, blocks, buttons, and errors of its input. */
function renderView(view: SlackView, { surfaceOf, submit, close }: ModalOptions) {
  const shut = () => void close(view, false);
  const send = h(
    'button',
    { type: 'submit', class: 'button primary', 'data-submit': '' },
    h('span', { class: 'button-words' }, plainNode(view.submit)),
  );
  const isPushed = typeof view.previous_view_id === 'string';
  const form = h(
    'form',
    { class: 'view', novalidate: true, 'data-view': view.id },
    h(
      'header',
      { class: 'view-head' },
      isPushed && iconButton('Back', ICONS.left, shut),
      h('h2', { id: titleId(view) }, plainNode(view.title)),
      iconButton('Close', ICONS.close, () => void close(view, true)),
    ),
    h('div', { class: 'view-blocks' }, ...renderBlocks(view.blocks ?? [], surfaceOf(view))),
    h(
      'footer',
      { class: 'view-foot' },
      h(
        'button',
        { type: 'button', class: 'button', 'data-close': '', click: shut },
        view.close ? plainNode(view.close) : 'Cancel',
      ),
      view.submit && send,
    ),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (view.submit) void onSubmit(form, send, (values) => submit(view, values));
  });
  return form;
}

const iconButton = (words: string, drawing: string, click: () => void) =>
  h('button', { type: 'button', class: 'icon-button', 'aria-label': words, click }, icon(drawing));

async function onSubmit(
  form: HTMLFormElement,
  send: HTMLButtonElement,
  submit: (values: Record<string, Record<string, unknown>>) => Promise<SubmitAnswer>,
) {
  if (send.disabled) return;
  clearErrors(form);
  const faults = formErrorsOf(form);
  if (Object.keys(faults).length > 0) return showErrors(form, faults);
  wait(send, true);
  const answer = await submit(readFormValues(form));
  wait(send, false);
  if (answer.errors) showErrors(form, answer.errors);
  else if (!answer.ok) showProblem(form, answer.error ?? 'unknown_error');
}

/** The form cannot be submitted again until the app has answered. */
function wait(send: HTMLButtonElement, isWaiting: boolean) {
  send.disabled = isWaiting;
  send.setAttribute('aria-busy', String(isWaiting));
}

/** Slack's client checks required fields and valid values before the app gets the form. Errors by block id. */
function formErrorsOf(form: HTMLElement): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const block of form.querySelectorAll('[data-input-block]')) {
    const node = block.querySelector('[data-element]');
    const field = node && fieldHandleOf(node);
    if (!field) continue;
    const isMissing = block.hasAttribute('data-required') && isEmptyValue(field.value());
    const words = isMissing ? 'Please complete this required field.' : (field.fault?.() ?? null);
    if (words !== null) faults[block.getAttribute('data-input-block') ?? ''] = words;
  }
  return faults;
}

const isEmptyValue = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);

function clearErrors(form: HTMLElement) {
  for (const error of form.querySelectorAll('.field-error, .form-error')) error.remove();
  for (const field of form.querySelectorAll('[aria-invalid]')) {
    field.removeAttribute('aria-invalid');
    const hint = field.closest('[data-input-block]')?.querySelector('.hint');
    if (hint) field.setAttribute('aria-describedby', hint.id);
    else field.removeAttribute('aria-describedby');
  }
}

/** Each error at its field, by block id. */
function showErrors(form: HTMLElement, errors: Readonly<Record<string, string>>) {
  for (const [blockId, words] of Object.entries(errors)) {
    const block = form.querySelector(`[data-input-block="${CSS.escape(blockId)}"]`);
    if (!block) {
      showProblem(form, `${blockId}: ${words}`);
      continue;
    }
    const id = newId('error');
    block.append(h('p', { id, class: 'field-error', role: 'alert', 'data-error': blockId }, words));
    const field = block.querySelector('[data-element]');
    field?.setAttribute('aria-invalid', 'true');
    field?.setAttribute(
      'aria-describedby',
      [field.getAttribute('aria-describedby'), id].filter(Boolean).join(' '),
    );
  }
  const first = form.querySelector('[aria-invalid]:is(input, textarea), [aria-invalid] input');
  if (first instanceof HTMLElement) first.focus();
}

function showProblem(form: HTMLElement, problem: string) {
  const words = `The form wasn’t accepted: ${problem}`;
  form.querySelector('.view-foot')?.before(h('p', { class: 'form-error', role: 'alert' }, words));
}
