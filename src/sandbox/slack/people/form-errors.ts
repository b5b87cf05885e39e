/** Errors, by block id, for which Slack's own client refuses to submit a form before the bot gets it. */

import {
  type ElementState,
  elementStateOf,
  initialStateValues,
  isEmptyState,
  type StateValues,
} from '../blocks/element-state.ts';
import { type ElementInBlocks, interactiveElements } from '../blocks/find-elements.ts';
import type { JsonObject } from '../core/json-object.ts';

export function formErrors(
  blocks: readonly JsonObject[],
  entered: StateValues,
): Readonly<Record<string, string>> {
  const values = initialStateValues(blocks, entered);
  const inputs = interactiveElements(blocks).filter(({ inInput }) => inInput);
  return Object.fromEntries(
    inputs.flatMap((found) => {
      const entry = elementStateOf(values, found);
      const fault = entry && fieldError(found, entry);
      return fault ? [[found.blockId, fault]] : [];
    }),
  );
}

function fieldError(found: ElementInBlocks, entry: ElementState): string | null {
  if (isEmptyState(entry)) return found.optional ? null : 'Please complete this required field.';
  const { type, value } = entry;
  const { min_length, max_length, min_value, max_value, is_decimal_allowed } = found.element;
  const text = String(value);
  if (type === 'plain_text_input') {
    if (text.length < Number(min_length ?? 0)) return `Please enter at least ${min_length} characters.`;
    const most = Number(max_length ?? 3_000);
    return text.length > most ? `Please enter at most ${most} characters.` : null;
  }
  if (type === 'email_text_input')
    return /^\S+@\S+$/.test(text) ? null : 'Please enter a valid email address.';
  if (type === 'url_text_input') return URL.canParse(text) ? null : 'Please enter a valid URL.';
  if (type !== 'number_input') return null;
  const number = Number(text);
  if (Number.isNaN(number)) return 'Please enter a number.';
  if (is_decimal_allowed !== true && !Number.isInteger(number)) return 'Please enter a whole number.';
  if (number < Number(min_value ?? Number.NEGATIVE_INFINITY)) return `Please enter ${min_value} or more.`;
  return number > Number(max_value ?? Number.POSITIVE_INFINITY) ? `Please enter ${max_value} or less.` : null;
}
