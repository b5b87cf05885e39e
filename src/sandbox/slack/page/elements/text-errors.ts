/** Errors of Slack's own client for a text field, before the app gets it. Slack's exact texts are not published. */
import type { Element } from '../types.ts';

/** Slack's own limit of a plain text (docs.slack.dev, plain-text input). */
const MAX_LENGTH = 3000;

/** `null` where nothing is wrong; a missing value is checked elsewhere. */
export function textErrorOf(element: Element, text: string): string | null {
  if (text === '') return null;
  switch (element.type) {
    case 'email_text_input':
      return /^[^\s@]+@[^\s@]+$/.test(text) ? null : 'Please enter a valid email address.';
    case 'url_text_input':
      return URL.canParse(text) ? null : 'Please enter a valid URL.';
    case 'number_input':
      return numberError(element, Number(text.trim() === '' ? Number.NaN : text));
    default:
      return lengthError(element, text);
  }
}

function lengthError({ min_length = 0, max_length = MAX_LENGTH }: Element, { length }: string) {
  if (length < min_length) return `Please enter at least ${min_length} characters.`;
  return length > max_length ? `Please enter at most ${max_length} characters.` : null;
}

function numberError({ is_decimal_allowed, min_value, max_value }: Element, number: number) {
  if (!Number.isFinite(number)) return 'Please enter a number.';
  if (is_decimal_allowed !== true && !Number.isInteger(number)) return 'Please enter a whole number.';
  if (min_value !== undefined && number < Number(min_value)) return `Please enter ${min_value} or more.`;
  return max_value !== undefined && number > Number(max_value) ? `Please enter ${max_value} or less.` : null;
}
