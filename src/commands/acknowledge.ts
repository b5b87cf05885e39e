/** `acknowledge`: shows on an alert's card who is handling it. */
import { z } from 'zod';
import { eventId } from '../ids.ts';
import type { View } from '../views/model.ts';
import type { SettingPorts } from './command.ts';
import { defineSetting, type Typed } from './define.ts';
import { acknowledgeForm } from './forms/acknowledge-form.ts';
import { extraWord, problemView, unknownWord } from './line/faults.ts';
import type { Words } from './line/grammar.ts';
import { numberOf } from './targets/named.ts';

const input = z.object({ alert: z.int().positive() });
type Input = z.infer<typeof input>;

export const acknowledge = defineSetting<Input>({
  name: 'acknowledge',
  usage: 'acknowledge #ALERT',
  summary: 'Acknowledge an alert: its card shows that you are handling it.',
  examples: ['acknowledge #70001'],
  input,
  need: 'propose',
  form: acknowledgeForm,
  parse,
  run: ({ alert }, _page, ports) => take(alert, ports),
});

function parse(words: Words): Typed<Input> {
  const extra = extraWord(words, {});
  if (extra !== null) return { kind: 'fault', fault: extra };
  const [first, second] = words.free;
  if (first === undefined) return { kind: 'fault', fault: { kind: 'missing', what: 'Which alert?' } };
  if (second !== undefined) return { kind: 'fault', fault: unknownWord(second, []) };
  const alert = numberOf(first);
  if (alert !== null) return { kind: 'input', input: { alert } };
  const expected = 'an alert number from the list of alerts, such as #70001';
  return { kind: 'fault', fault: { kind: 'bad-value', word: first, expected } };
}

async function take(number: number, { settings, asker }: SettingPorts): Promise<View> {
  const taken = await settings.alerts.acknowledge(eventId(number), asker);
  if (taken.kind === 'absent') return problemView({ kind: 'no-such-number', what: 'alert', number });
  const { kind, ...of } = taken;
  return { kind: 'taken', already: kind === 'already', ...of };
}
