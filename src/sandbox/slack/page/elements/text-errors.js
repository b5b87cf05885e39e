/** Errors of Slack's own client for a text field, before the app gets it. Slack's exact texts are not published. */
/** @import { Element } from '../types.d.ts' */

/** Slack's own limit of a plain text (docs.slack.dev, plain-text input). */
const MAX_LENGTH = 3000;

/**
 * `null` where nothing is wrong; a missing value is checked elsewhere.
 * @param {Element} element
 * @param {string} text
 * @returns {string | null}
 */
export function textErrorOf(element, text) {
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

/**
 * @param {Element} element
 * @param {string} text
 */
function lengthError({ min_length = 0, max_length = MAX_LENGTH }, { length }) {
  if (length < min_length) return `Please enter at least ${min_length} characters.`;
  return length > max_length ? `Please enter at most ${max_length} characters.` : null;
}

/**
 * @param {Element} element
 * @param {number} number
 */
function numberError({ is_decimal_allowed, min_value, max_value }, number) {
  if (!Number.isFinite(number)) return 'Please enter a number.';
  if (is_decimal_allowed !== true && !Number.isInteger(number)) return 'Please enter a whole number.';
  if (min_value !== undefined && number < Number(min_value)) return `Please enter ${min_value} or more.`;
  return max_value !== undefined && number > Number(max_value) ? `Please enter ${max_value} or less.` : null;
}
