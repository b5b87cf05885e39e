/** The form that finds devices: one from a menu, or all that match some words. */
import { z } from 'zod';
import type { DeviceId } from '../../lib/ids.ts';
import type { View } from '../../views/model.ts';
import type { FieldValues } from '../../views/models/form-model.ts';
import type { TypedInput } from '../core/define-command.ts';
import { type LineWords, MAX_LINE_LENGTH, tokenizeTyped } from '../parser/tokenizer.ts';
import type { CommandForm, FormValues } from './shared/command-form.ts';
import { DEVICE_FIELD, deviceField, selectedDevice } from './shared/device-form.ts';
import { fieldError, textValue, usageFaultText } from './shared/field-values.ts';

const WORDS_FIELD = 'words';

/** `note`: shown above the fields. `typed`: the previous search. */
const prefillSchema = z
  .object({ note: z.string().max(MAX_LINE_LENGTH), typed: z.string().max(MAX_LINE_LENGTH) })
  .partial()
  .catch({});

/** `parse`: the command's parser of typed words. */
export function findForm(parse: (words: LineWords) => TypedInput<object>): CommandForm {
  return {
    async open(from) {
      const { note, typed = '' } = prefillSchema.parse(from);
      const noteFields = note === undefined ? [] : [{ kind: 'words', text: note } as const];
      const device = { ...deviceField(null), optional: true } as const;
      const words = {
        kind: 'text',
        id: WORDS_FIELD,
        label: 'Or search',
        hint: 'Words and filters, for example: web or db, os:windows is:offline.',
        optional: true,
        initial: typed,
        most: MAX_LINE_LENGTH,
      } as const;
      const form = { command: 'devices', title: 'Find a device', submit: 'Find', context: null };
      return { kind: 'form', form: { ...form, fields: [...noteFields, device, words] } };
    },
    read: (values) => readForm(values, parse),
  };
}

function readForm(values: FieldValues, parse: (words: LineWords) => TypedInput<object>): FormValues {
  const device = selectedDevice(values);
  const typed = textValue(values, WORDS_FIELD);
  if (device !== null && typed !== '')
    return fieldError(WORDS_FIELD, 'Use either the device above or this search, not both.');
  if (device !== null) return { kind: 'input', input: { words: [`#${device}`], filters: [] } };
  if (typed === '') return fieldError(DEVICE_FIELD, 'Choose a device, or search below.');
  const split = tokenizeTyped(typed);
  const parsed = split.kind === 'fault' ? split : parse(split.words);
  if (parsed.kind === 'fault') return fieldError(WORDS_FIELD, usageFaultText(parsed.fault));
  return { kind: 'input', input: { ...parsed.input, typed } };
}

/** The only device of a list, whose card is more useful; null for all other answers. */
export function onlyMatch(view: View): DeviceId | null {
  if (view.kind === 'shareable') return onlyMatch(view.view);
  if (view.kind !== 'devices' || view.paging.total !== 1) return null;
  return view.rows[0]?.device?.id ?? null;
}
