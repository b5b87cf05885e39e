/** The field for the options of a change of many devices, as they are typed. */
import type { FieldValues, FormField } from '../../../views/models/form-model.ts';
import type { TypedInput } from '../../core/define-command.ts';
import { type RolloutOptions, takeRolloutOptions } from '../../parser/rollout-options.ts';
import { type LineWords, MAX_LINE_LENGTH, plainLine, tokenizeLine } from '../../parser/tokenizer.ts';
import { usageFault } from '../../parser/usage-errors.ts';
import type { FormValues } from './command-form.ts';
import { fieldError, textValue, usageFaultText } from './field-values.ts';

export const OPTIONS_FIELD = 'options';

export function optionsField(initial: string): FormField {
  return {
    kind: 'text',
    id: OPTIONS_FIELD,
    label: 'Waves and other options',
    hint: 'For example waves:1,25% wait:10m brake:2 gate:manual offline:skip. Leave empty for the usual waves.',
    initial,
    most: MAX_LINE_LENGTH,
    optional: true,
  };
}

export type EnteredOptions =
  | { readonly kind: 'input'; readonly input: { readonly rollout?: RolloutOptions } }
  | Extract<FormValues, { kind: 'errors' }>;

/** The part of the input that the field holds, or its error. */
export function enteredOptions(values: FieldValues): EnteredOptions {
  const read = readOptions(textValue(values, OPTIONS_FIELD));
  if (read.kind === 'fault') return fieldError(OPTIONS_FIELD, usageFaultText(read.fault));
  return { kind: 'input', input: read.input === null ? {} : { rollout: read.input } };
}

/** Null without any. */
function readOptions(text: string): TypedInput<RolloutOptions | null> {
  const words = lineWords(text);
  if (words.kind === 'fault') return words;
  const taken = takeRolloutOptions(words.input);
  if (taken.kind === 'fault') return taken;
  const { free, filters, flags, reason } = taken.input.words;
  const [other] = [
    ...free,
    ...filters.map((part) => part.text),
    ...flags,
    ...(reason === null ? [] : ['because']),
  ];
  if (other === undefined) return { kind: 'input', input: taken.input.rollout ?? null };
  return usageFault({ kind: 'bad-value', word: other, expected: 'options such as waves:1,25%' });
}

/** The words of a field that holds a line. */
export function lineWords(text: string): TypedInput<LineWords> {
  const read = tokenizeLine(plainLine(text));
  return read.kind === 'fault' ? read : { kind: 'input', input: read.words };
}
