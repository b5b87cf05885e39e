/** The form of `explain`: a line as it would be typed, with what is wrong in it said on the field. */

import { z } from 'zod';
import type { FieldValues } from '../../views/models/form-model.ts';
import { MAX_TEXT, plainLine, readLine } from '../line/grammar.ts';
import type { Registry } from '../registry.ts';
import { faultText } from './fault-text.ts';
import type { Form, FormRead } from './form.ts';
import { textIn } from './form-values.ts';

const LINE = 'line';

const given = z.object({ line: z.string().max(MAX_TEXT) }).catch({ line: '' });

/** The registry holds `explain` too, so it is asked for only when a line is read. */
export function explainForm(registry: () => Registry): Form {
  return {
    open: async (typed) => {
      const field = {
        kind: 'text',
        id: LINE,
        label: 'Command',
        hint: 'For example reboot web-01.',
        initial: given.parse(typed).line,
        most: MAX_TEXT,
      } as const;
      const form = { command: 'explain', title: 'Explain a command', submit: 'Explain' };
      return { kind: 'form', form: { ...form, fields: [field], context: null } };
    },
    read: (values) => read(values, registry()),
  };
}

function read(values: FieldValues, { find, nearest }: Registry): FormRead {
  const line = plainLine(textIn(values, LINE));
  const read = readLine(line);
  if (read.kind === 'fault') return errorOn(faultText(read.fault));
  const { free, filters, flags, reason } = read.words;
  const [name, ...rest] = free;
  if (name === undefined) return errorOn('Enter a command, such as reboot web-01.');
  const command = find(name);
  if (command === null)
    return errorOn(faultText({ kind: 'unknown-word', word: name, nearest: nearest(name) }));
  const words = { free: rest, filters, flags, reason };
  // What only looks or sets is explained whatever follows it.
  const parsed = command.kind === 'write' ? command.parse(words) : null;
  if (parsed?.kind === 'fault') return errorOn(faultText(parsed.fault));
  return { kind: 'input', input: { command: name, typed: words, input: null } };
}

function errorOn(words: string): FormRead {
  return { kind: 'errors', errors: { [LINE]: words } };
}
