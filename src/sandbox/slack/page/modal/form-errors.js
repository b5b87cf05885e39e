/** Errors of a form, each at its field. */
import { h, newId } from '../dom/dom.js';
import { fieldHandleOf, isEmptyValue } from '../elements/field-values.js';

/**
 * Slack's client checks required fields and valid values before the app gets the form.
 * @param {HTMLElement} form
 * @returns {Record<string, string>} by block id
 */
export function formErrorsOf(form) {
  /** @type {Record<string, string>} */
  const faults = {};
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

/** The part of a field that takes the focus. */
const FOCUSABLE = [':is(input, textarea, button, [contenteditable])', ' :is(input, button)'];

/** @param {HTMLElement} form */
export function clearErrors(form) {
  for (const error of form.querySelectorAll('.field-error, .form-error')) error.remove();
  for (const field of form.querySelectorAll('[aria-invalid]')) {
    field.removeAttribute('aria-invalid');
    const hint = field.closest('[data-input-block]')?.querySelector('.hint');
    if (hint) field.setAttribute('aria-describedby', hint.id);
    else field.removeAttribute('aria-describedby');
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
    field?.setAttribute(
      'aria-describedby',
      [field.getAttribute('aria-describedby'), id].filter(Boolean).join(' '),
    );
  }
  const first = form.querySelector(FOCUSABLE.map((kind) => `[aria-invalid]${kind}`).join());
  if (first instanceof HTMLElement) first.focus();
}

/**
 * @param {HTMLElement} form
 * @param {string} problem
 */
export function showProblem(form, problem) {
  const words = `The form wasn’t accepted: ${problem}`;
  form.querySelector('.view-foot')?.before(h('p', { class: 'form-error', role: 'alert' }, words));
}
