/** The form of `explain`: a typed line, with its errors at the field. */

import { z } from 'zod';
import type { FieldValues } from '../../views/models/form-model.ts';
import type { Registry } from '../core/registry.ts';
import { MAX_LINE_LENGTH, plainLine, tokenizeLine } from '../parser/tokenizer.ts';
import type { CommandForm, FormValues } from './shared/command-form.ts';
import { textValue, usageFaultText } from './shared/field-values.ts';

const LINE = 'line';

const prefillSchema = z.object({ line: z.string().max(MAX_LINE_LENGTH) }).catch({ line: '' });

/** The registry contains `explain` too, so it is read only when a line is parsed. */
export function explainForm(registry: () => Registry): CommandForm {
  return {
    open: async (typed) => {
      const field = {
        kind: 'text',
        id: LINE,
        label: 'Command',
        hint: 'For example reboot web-01.',
        initial: prefillSchema.parse(typed).line,
        most: MAX_LINE_LENGTH,
      } as const;
      const form = { command: 'explain', title: 'Explain a command', submit: 'Explain' };
      return { kind: 'form', form: { ...form, fields: [field], context: null } };
    },
    read: (values) => readForm(values, registry()),
  };
}

function readForm(values: FieldValues, { find, nearest }: Registry): FormValues {
  const line = plainLine(textValue(values, LINE));
  const read = tokenizeLine(line);
  if (read.kind === 'fault') return lineError(usageFaultText(read.fault));
  const { free, filters, flags, reason } = read.words;
  const [name, ...rest] = free;
  if (name === undefined) return lineError('Enter a command, such as reboot web-01.');
  const command = find(name);
  if (command === null)
    return lineError(usageFaultText({ kind: 'unknown-word', word: name, nearest: nearest(name) }));
  const words = { free: rest, filters, flags, reason };
  // Reads and settings are explained whatever words follow.
  const parsed = command.kind === 'write' ? command.parse(words) : null;
  if (parsed?.kind === 'fault') return lineError(usageFaultText(parsed.fault));
  return { kind: 'input', input: { command: name, typed: words, input: null } };
}

function lineError(words: string): FormValues {
  return { kind: 'errors', errors: { [LINE]: words } };
}
