/** One view of a modal: title, blocks, buttons, and errors of its input. */

import { renderBlocks } from '../blocks/index.ts';
import { h, ICONS, icon } from '../dom/dom.ts';
import { readFormValues } from '../elements/field-values.ts';
import { withSigns } from '../text/signs.ts';
import { plainNode, renderPlainText } from '../text/text-object.ts';
import type { ControlAnswer, RenderContext, SlackView, SubmitAnswer } from '../types.ts';
import { clearErrors, formErrorsOf, showErrors, showProblem } from './form-errors.ts';

export type ModalOptions = {
  readonly surfaceOf: (view: SlackView) => RenderContext;
  readonly submit: (
    view: SlackView,
    values: Record<string, Record<string, unknown>>,
  ) => Promise<SubmitAnswer>;
  /** `all`: with the views below it. */
  readonly close: (view: SlackView, all: boolean) => Promise<ControlAnswer>;
};

/** Id of the title that labels the dialog. */
export const titleId = (view: SlackView) => `title-${view.id}`;

export function renderModalView(view: SlackView, { surfaceOf, submit, close }: ModalOptions) {
  const shut = () => void close(view, false);
  const send = h(
    'button',
    { type: 'submit', class: 'button primary', 'data-submit': '' },
    h('span', { class: 'button-words' }, withSigns(renderPlainText(view.submit) || 'Submit')),
  );
  const cancel = withSigns(renderPlainText(view.close) || 'Cancel');
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
      h('button', { type: 'button', class: 'button', 'data-close': '', click: shut }, cancel),
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
