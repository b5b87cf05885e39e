/** The fields for the options of a change of many devices: menus in words, and a line for those who type. */

import type { FieldValues, FormField } from '../../views/models/form-model.ts';
import type { FormValues, TypedInput } from '../core/command.ts';
import { fieldError, textField, textValue, usageFaultText } from '../core/field-values.ts';
import { type RolloutOptions, rolloutOptionsText, takeRolloutOptions } from '../parser/rollout-options.ts';
import { type LineWords, MAX_LINE_LENGTH, plainLine, tokenizeLine } from '../parser/tokenizer.ts';
import { usageFault } from '../parser/usage-errors.ts';

export const OPTIONS_FIELD = 'options';

/** What is chosen most, by the option as it is typed. Nothing chosen means what is usual. */
const MENUS = [
  {
    id: 'waves',
    label: 'Waves',
    hint: 'Leave empty for the usual waves.',
    words: {
      'waves:100%': 'All at once',
      'waves:1,100%': 'One device first, then the rest',
      'waves:1,10%': 'One device first, then 10%, then the rest',
    },
  },
  {
    id: 'brake',
    label: 'Stop automatically',
    hint: 'Leave empty to stop when 10% of a wave’s finished devices fail.',
    words: {
      'brake:1': 'At the first failure in a wave',
      'brake:2': 'At 2 failures in a wave',
      'brake:5': 'At 5 failures in a wave',
      'brake:25%': 'When 25% of a wave’s finished devices fail',
    },
  },
] as const;

/** The values of the fields for these options: a menu's where it has the option, else that of the line. */
export function optionValues(rollout: RolloutOptions): FieldValues {
  const typed = rolloutOptionsText(rollout).split(' ');
  const chosen = MENUS.map(({ id, words }) => [id, typed.filter((word) => word in words)] as const);
  const rest = typed.filter((word) => !chosen.some(([, values]) => values.includes(word)));
  return new Map([...chosen, [OPTIONS_FIELD, [rest.join(' ')]]]);
}

export function optionFields(values: FieldValues): readonly FormField[] {
  return [
    ...MENUS.map(({ words, ...menu }): FormField => {
      const options = Object.entries(words).map(([value, label]) => ({ value, label }));
      return { ...menu, kind: 'choice', options, initial: values.get(menu.id)?.[0] ?? null, optional: true };
    }),
    textField(OPTIONS_FIELD, 'Options as they are typed', textValue(values, OPTIONS_FIELD), MAX_LINE_LENGTH, {
      hint: 'For example wait:10m gate:manual offline:skip, or waves:1,25% brake:2 in place of the menus.',
      optional: true,
    }),
  ];
}

type EnteredOptions =
  | { readonly kind: 'input'; readonly input: { readonly rollout?: RolloutOptions } }
  | Extract<FormValues, { kind: 'errors' }>;

export function enteredOptions(values: FieldValues): EnteredOptions {
  const typed = textValue(values, OPTIONS_FIELD);
  const twice = MENUS.find(
    ({ id }) => textValue(values, id) !== '' && typed.toLowerCase().includes(`${id}:`),
  );
  if (twice !== undefined)
    return fieldError(
      OPTIONS_FIELD,
      `“${twice.label}” is chosen above. Clear the menu or remove ${twice.id}: here.`,
    );
  const ids = [...MENUS.map(({ id }) => id), OPTIONS_FIELD];
  const read = readOptions(ids.map((id) => textValue(values, id)).join(' '));
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

export function lineWords(text: string): TypedInput<LineWords> {
  const read = tokenizeLine(plainLine(text));
  return read.kind === 'fault' ? read : { kind: 'input', input: read.words };
}
