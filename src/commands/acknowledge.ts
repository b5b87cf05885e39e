/** `acknowledge`: shows on an alert's card who is handling it. */
import { z } from 'zod';
import { eventId } from '../lib/ids.ts';
import type { View } from '../views/model.ts';
import type { SettingPorts } from './core/command.ts';
import { defineSettingCommand, type TypedInput } from './core/define-command.ts';
import { acknowledgeForm } from './forms/acknowledge-form.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { problemView, unexpectedWord, unknownWordFault } from './parser/usage-errors.ts';
import { numberOf } from './targets/name-lookup.ts';

const input = z.object({ alert: z.int().positive() });
type Input = z.infer<typeof input>;

export const acknowledgeCommand = defineSettingCommand<Input>({
  name: 'acknowledge',
  usage: 'acknowledge ALERT',
  summary: 'Acknowledge an alert: its card shows that you are handling it.',
  examples: ['acknowledge 70001'],
  input,
  permission: 'propose',
  byOnePress: () => true,
  form: acknowledgeForm,
  parse,
  run: ({ alert }, _page, ports) => acknowledgeAlert(alert, ports),
});

function parse(words: LineWords): TypedInput<Input> {
  const extra = unexpectedWord(words, {});
  if (extra !== null) return { kind: 'fault', fault: extra };
  // As lists write it: `alert 70001`.
  const [first, second] = words.free.filter((word) => word.toLowerCase() !== 'alert');
  if (first === undefined) return { kind: 'fault', fault: { kind: 'missing', what: 'Which alert?' } };
  if (second !== undefined) return { kind: 'fault', fault: unknownWordFault(second, []) };
  const alert = numberOf(first);
  if (alert !== null) return { kind: 'input', input: { alert } };
  const expected = 'an alert number from the list of alerts, such as 70001';
  return { kind: 'fault', fault: { kind: 'bad-value', word: first, expected } };
}

async function acknowledgeAlert(number: number, { settings, asker }: SettingPorts): Promise<View> {
  const acknowledged = await settings.alerts.acknowledge(eventId(number), asker);
  if (acknowledged.kind === 'absent') return problemView({ kind: 'no-such-number', what: 'alert', number });
  const { kind, acknowledgedCount, ...of } = acknowledged;
  return { kind: 'taken', already: kind === 'already', ...of, taken: acknowledgedCount };
}
