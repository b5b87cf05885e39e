/** `timezone`: in which the times that a person types are read; those that are shown are Slack's to draw. */

import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { nearestNames } from '../inventory/nearest-names.ts';
import { timeZoneNamed } from '../lib/clock.ts';
import { fold } from '../lib/text.ts';
import type { UsageFault, View } from '../views/views.ts';
import type { CommandForm, FormValues, SettingPorts, TypedInput } from './core/command.ts';
import { defineSettingCommand } from './core/define-command.ts';
import { fieldError, textField, textValue, usageFaultText } from './core/field-values.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { unexpectedWord } from './parser/usage-errors.ts';

const input = z.discriminatedUnion('do', [
  z.object({ do: z.literal('show') }),
  z.object({ do: z.literal('reset') }),
  z.object({ do: z.literal('choose'), zone: z.string() }),
]);
type Input = z.infer<typeof input>;

const timezoneForm: CommandForm = {
  open: async (_typed, { settings, asker }) => {
    const { zone, timezoneChoice } = await settings.people.timezoneChoice(asker);
    const field = textField(ZONE, 'Time zone', timezoneChoice ? zone : '', MAX_LENGTH, {
      hint: 'A city or a zone such as Europe/Berlin. Leave empty to use Slack’s.',
      optional: true,
    });
    const form = { command: 'timezone', title: 'Your time zone', submit: 'Save' };
    return { kind: 'form', form: { ...form, fields: [field], context: null } };
  },
  read(values): FormValues {
    const typed = textValue(values, ZONE);
    if (typed === '') return { kind: 'input', input: { do: 'reset' } };
    const found = findZone(typed);
    if (found.kind === 'zone') return { kind: 'input', input: { do: 'choose', zone: found.zone } };
    return fieldError(ZONE, usageFaultText(zoneFault(typed, found.nearest)));
  },
};

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
  return { kind: 'timezone', zone, chosen: timezoneChoice, changed: order.do !== 'show', asOf: clock.now() };
}

const ZONE = 'zone';
const MAX_LENGTH = 100;

/** The names that this runtime knows, and UTC, which it leaves out. */
const ZONES: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')];
const BY_FOLDED: ReadonlyMap<string, string> = new Map(ZONES.map((zone) => [fold(zone), zone]));

type ZoneMatch =
  | { readonly kind: 'zone'; readonly zone: string }
  | { readonly kind: 'none'; readonly nearest: readonly string[] };

/** In any case, with spaces for `_`, by its city alone, or by an older name such as `Europe/Kiev`. */
export function findZone(typed: string): ZoneMatch {
  const foldedZone = fold(typed).replaceAll(' ', '_');
  const known = BY_FOLDED.get(foldedZone);
  if (known !== undefined) return { kind: 'zone', zone: known };
  const [city, other] = ZONES.filter((zone) => fold(cityOf(zone)) === foldedZone);
  if (city !== undefined && other === undefined) return { kind: 'zone', zone: city };
  const older = foldedZone.includes('/') ? timeZoneNamed(foldedZone) : null;
  if (older !== null) return { kind: 'zone', zone: older };
  return { kind: 'none', nearest: nearestZones(foldedZone) };
}

function zoneFault(typed: string, nearest: readonly string[]): UsageFault {
  if (nearest.length > 0) return { kind: 'unknown-word', word: typed, nearest };
  return { kind: 'bad-value', word: typed, expected: 'a city or a zone such as Europe/Berlin' };
}

const cityOf = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1);

/** By the city where none was typed before it: a slip there is small beside the whole name. */
function nearestZones(typed: string): readonly string[] {
  if (typed.includes('/')) return nearestNames(typed, ZONES);
  const cities = new Map(ZONES.map((zone) => [cityOf(zone), zone]));
  // An abbreviation such as `CET` stands for a time, and names no city that has its letters by chance.
  const near = nearestNames(typed, cities.keys()).filter(
    (city) => !/^[a-z]{2,4}$/.test(typed) || isTypo(typed, city),
  );
  return near.flatMap((city) => cities.get(city) ?? []);
}

/** One letter, letters that changed places, or the beginning alone. */
function isTypo(typed: string, city: string): boolean {
  const name = fold(city);
  return name.startsWith(typed) || typed.length === name.length || distance(typed, name) === 1;
}
