/** One view of a modal: title, blocks, buttons, and what is wrong with what was entered. */
/** @import { SubmitAnswer, View } from '../types.d.ts' */
/** @import { ModalOptions } from './modal.js' */
import { drawBlocks } from '../blocks/index.js';
import { h, ICONS, icon } from '../dom.js';
import { readValues } from '../elements/values.js';
import { plainText } from '../text/text.js';
import { clearErrors, missingFields, showErrors, showProblem } from './errors.js';

/** By this the dialog has its name. @param {View} view */
export const titleId = (view) => `title-${view.id}`;

/**
 * @param {View} view
 * @param {ModalOptions} options
 */
export function drawView(view, { surfaceOf, submit, close }) {
  const shut = () => close(view);
  const send = h(
    'button',
    { type: 'submit', class: 'button primary', 'data-submit': '' },
    plainText(view.submit),
  );
  const cancel = plainText(view.close) || 'Cancel';
  const form = h(
    'form',
    { class: 'view', novalidate: true, 'data-view': view.id },
    h(
      'header',
      { class: 'view-head' },
      h('h2', { id: titleId(view) }, plainText(view.title)),
      h(
        'button',
        { type: 'button', class: 'icon-button', 'aria-label': 'Close', click: shut },
        icon(ICONS.close),
      ),
    ),
    h('div', { class: 'view-blocks' }, ...drawBlocks(view.blocks ?? [], surfaceOf(view))),
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
 * @param {HTMLFormElement} form
 * @param {HTMLButtonElement} send
 * @param {(values: Record<string, Record<string, unknown>>) => Promise<SubmitAnswer>} submit
 */
async function onSubmit(form, send, submit) {
  if (send.getAttribute('aria-busy') === 'true') return;
  clearErrors(form);
  const values = readValues(form);
  const missing = missingFields(form, values);
  if (Object.keys(missing).length > 0) return showErrors(form, missing);
  send.setAttribute('aria-busy', 'true');
  const answer = await submit(values);
  send.removeAttribute('aria-busy');
  if (answer.errors) showErrors(form, answer.errors);
  else if (!answer.ok) showProblem(form, answer.error ?? 'unknown_error');
}
