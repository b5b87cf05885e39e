/** What is wrong with a form, each word at its field. */
import { h, newId } from '../dom.js';

/**
 * Slack's client itself asks for fields that are not optional, before the app hears of the form.
 * @param {HTMLElement} form
 * @param {Record<string, Record<string, unknown>>} values
 * @returns {Record<string, string>}
 */
export function missingFields(form, values) {
  /** @type {Record<string, string>} */
  const missing = {};
  for (const block of form.querySelectorAll('[data-input-block][data-required]')) {
    const id = block.getAttribute('data-input-block') ?? '';
    const given = Object.values(values[id] ?? {});
    if (given.length > 0 && given.every(isEmpty)) missing[id] = 'Please complete this required field.';
  }
  return missing;
}

/** @param {unknown} value */
const isEmpty = (value) => value === null || (Array.isArray(value) && value.length === 0);

/** @param {HTMLElement} form */
export function clearErrors(form) {
  for (const error of form.querySelectorAll('.field-error, .form-error')) error.remove();
  for (const field of form.querySelectorAll('[aria-invalid]')) {
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-describedby');
  }
}

/**
 * @param {HTMLElement} form
 * @param {Readonly<Record<string, string>>} errors by block id
 */
export function showErrors(form, errors) {
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
    field?.setAttribute('aria-describedby', id);
  }
  const first = form.querySelector('[aria-invalid]:is(input, select, textarea), [aria-invalid] input');
  if (first instanceof HTMLElement) first.focus();
}

/**
 * @param {HTMLElement} form
 * @param {string} problem
 */
export function showProblem(form, problem) {
  const words = `The form was not accepted. It failed with the error ${problem}`;
  form.querySelector('.view-foot')?.before(h('p', { class: 'form-error', role: 'alert' }, words));
}
