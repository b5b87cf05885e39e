/** One view of a modal: title, blocks, buttons, and errors of its input. */
/** @import { SubmitAnswer, SlackView } from '../types.d.ts' */
/** @import { ViewOptions } from './modal.js' */
import { renderBlocks } from '../blocks/index.js';
import { h, ICONS, icon } from '../dom/dom.js';
import { readFormValues } from '../elements/field-values.js';
import { withSigns } from '../text/signs.js';
import { plainNode, renderPlainText } from '../text/text-object.js';
import { clearErrors, formErrorsOf, showErrors, showProblem } from './form-errors.js';

/** Id of the title that labels the dialog. @param {SlackView} view */
export const titleId = (view) => `title-${view.id}`;

/**
 * @param {SlackView} view
 * @param {ViewOptions} options
 */
export function renderModalView(view, { surfaceOf, submit, close, closeAll }) {
  const shut = () => void close(view);
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
      iconButton('Close', ICONS.close, () => void closeAll()),
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

/**
 * @param {string} words
 * @param {string} drawing
 * @param {() => void} click
 */
const iconButton = (words, drawing, click) =>
  h('button', { type: 'button', class: 'icon-button', 'aria-label': words, click }, icon(drawing));

/**
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement} send
 * @param {(values: Record<string, Record<string, unknown>>) => Promise<SubmitAnswer>} submit
 */
async function onSubmit(form, send, submit) {
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

/**
 * The form cannot be submitted again until the app has answered.
 * @param {HTMLButtonElement} send
 * @param {boolean} isWaiting
 */
function wait(send, isWaiting) {
  send.disabled = isWaiting;
  send.setAttribute('aria-busy', String(isWaiting));
}
