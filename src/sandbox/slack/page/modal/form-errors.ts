/** Errors of a form, each at its field. */
import { h, newId } from '../dom/dom.ts';
import { fieldHandleOf, isEmptyValue } from '../elements/field-values.ts';

/** Slack's client checks required fields and valid values before the app gets the form. Errors by block id. */
export function formErrorsOf(form: HTMLElement): Record<string, string> {
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

/** The part of a field that takes the focus. */
const FOCUSABLE = [':is(input, textarea, button, [contenteditable])', ' :is(input, button)'];

export function clearErrors(form: HTMLElement) {
  for (const error of form.querySelectorAll('.field-error, .form-error')) error.remove();
  for (const field of form.querySelectorAll('[aria-invalid]')) {
    field.removeAttribute('aria-invalid');
    const hint = field.closest('[data-input-block]')?.querySelector('.hint');
    if (hint) field.setAttribute('aria-describedby', hint.id);
    else field.removeAttribute('aria-describedby');
  }
}

/** Errors by block id. */
export function showErrors(form: HTMLElement, errors: Readonly<Record<string, string>>) {
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

export function showProblem(form: HTMLElement, problem: string) {
  const words = `The form wasn’t accepted: ${problem}`;
  form.querySelector('.view-foot')?.before(h('p', { class: 'form-error', role: 'alert' }, words));
}
