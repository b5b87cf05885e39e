/** `timezone`: in which the times that a person types are read; those that are shown are Slack's to draw. */
import { z } from 'zod';
import type { View } from '../views/model.ts';
import type { SettingPorts } from './core/command.ts';
import { defineSettingCommand, type TypedInput } from './core/define-command.ts';
import { timezoneForm } from './forms/timezone-form.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { unexpectedWord } from './parser/usage-errors.ts';
import { findZone, zoneFault } from './settings/time-zones.ts';

const input = z.discriminatedUnion('do', [
  z.object({ do: z.literal('show') }),
  z.object({ do: z.literal('reset') }),
  z.object({ do: z.literal('choose'), zone: z.string() }),
]);
type Input = z.infer<typeof input>;

export const timezoneCommand = defineSettingCommand<Input>({
  name: 'timezone',
  usage: 'timezone [ZONE|reset]',
  summary: 'Show or set the time zone for times that you type, such as Europe/Berlin.',
  examples: ['timezone', 'timezone Europe/Berlin', 'timezone reset'],
  permission: 'read',
  byOnePress: ({ do: what }) => what === 'show',
  input,
  form: timezoneForm,
  parse,
  run: runTimezone,
});

function parse(words: LineWords): TypedInput<Input> {
  const fault = unexpectedWord(words, {});
  if (fault !== null) return { kind: 'fault', fault };
  const typed = words.free.join(' ');
  if (typed === '') return { kind: 'input', input: { do: 'show' } };
  if (typed.toLowerCase() === 'reset') return { kind: 'input', input: { do: 'reset' } };
  const found = findZone(typed);
  if (found.kind === 'zone') return { kind: 'input', input: { do: 'choose', zone: found.zone } };
  return { kind: 'fault', fault: zoneFault(typed, found.nearest) };
}

async function runTimezone(
  order: Input,
  _page: number,
  { settings, asker, clock }: SettingPorts,
): Promise<View> {
  if (order.do !== 'show')
    await settings.people.setTimezone(asker, order.do === 'choose' ? order.zone : null);
  const { zone, timezoneChoice } = await settings.people.timezoneChoice(asker);
  return { kind: 'zone', zone, chosen: timezoneChoice, changed: order.do !== 'show', asOf: clock.now() };
}
