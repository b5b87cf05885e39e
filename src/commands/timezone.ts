/** `timezone`: in which the times that a person types are read; those that are shown are Slack's to draw. */
import { z } from 'zod';
import type { View } from '../views/model.ts';
import type { SettingPorts } from './command.ts';
import { defineSetting, type Typed } from './define.ts';
import { timezoneForm } from './forms/timezone-form.ts';
import { extraWord } from './line/faults.ts';
import type { Words } from './line/grammar.ts';
import { findZone, zoneFault } from './zones.ts';

const input = z.discriminatedUnion('do', [
  z.object({ do: z.literal('show') }),
  z.object({ do: z.literal('reset') }),
  z.object({ do: z.literal('choose'), zone: z.string() }),
]);
type Input = z.infer<typeof input>;

export const timezone = defineSetting<Input>({
  name: 'timezone',
  usage: 'timezone [ZONE|reset]',
  summary: 'Show or set the time zone for times that you type, such as Europe/Berlin.',
  examples: ['timezone', 'timezone Europe/Berlin', 'timezone reset'],
  need: 'read',
  input,
  form: timezoneForm,
  parse,
  run,
});

function parse(words: Words): Typed<Input> {
  const fault = extraWord(words, {});
  if (fault !== null) return { kind: 'fault', fault };
  const typed = words.free.join(' ');
  if (typed === '') return { kind: 'input', input: { do: 'show' } };
  if (typed.toLowerCase() === 'reset') return { kind: 'input', input: { do: 'reset' } };
  const found = findZone(typed);
  if (found.kind === 'zone') return { kind: 'input', input: { do: 'choose', zone: found.zone } };
  return { kind: 'fault', fault: zoneFault(typed, found.nearest) };
}

async function run(order: Input, _page: number, { settings, asker, clock }: SettingPorts): Promise<View> {
  if (order.do !== 'show') await settings.people.choose(asker, order.do === 'choose' ? order.zone : null);
  const { zone, chosen } = await settings.people.chosen(asker);
  return { kind: 'zone', zone, chosen, changed: order.do !== 'show', asOf: clock.now() };
}
