/** The fields of a group as they are typed or chosen, and as the service takes them. */

import { z } from 'zod';
import type { Dialect } from '../../fleet/dialect.ts';
import { MAX_REFRESH_MINUTES, validateGroup } from '../../fleet/editor/group-fields.ts';
import type { GroupChange } from '../../fleet/model/changes.ts';
import { COLORS, colorName, colorValue } from '../../fleet/model/derived-fields.ts';
import type { Policy } from '../../fleet/model/resources.ts';
import { collectRows } from '../../fleet/reads/read-helpers.ts';
import { type GroupId, policyId } from '../../lib/ids.ts';
import { defined } from '../../lib/record-fields.ts';
import type { FormField, FormOption } from '../../views/models/form-model.ts';
import type { CommandChoice } from '../../views/models/list-model.ts';
import type { HelpEntry, UsageFault } from '../../views/views.ts';
import { type Argument, argumentsOf, named, notes, recordName, records } from '../core/arguments.ts';
import type { Planned, ReadPorts, TypedInput } from '../core/command.ts';
import { selectedValue, textField, textValue } from '../core/field-values.ts';
import { type LineWords, MAX_LINE_LENGTH } from '../parser/tokenizer.ts';
import { listedValues, problemView, usageProblem } from '../parser/usage-errors.ts';
import {
  matchName,
  type NameOrId,
  nameOrId,
  resolveName,
  unknownNameProblem,
} from '../targets/name-lookup.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';
import { policyChoiceNames } from '../targets/resolve-group-or-policy.ts';
import { listAfter } from './edit-plan.ts';

const COLOR = `one of ${COLORS.map(({ name }) => name).join(', ')}, or #RRGGBB`;
const TIME = /^(\d{1,5}) ?(m|min|minutes?|h|hours?|d|days?)?$/i;
const MINUTES_IN: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1_440 };
const USUAL_INTERVALS = [4, 6, 8, 12, 24].map((hours) => hours * 60);

/** In minutes: how often the service scans where nothing else was said (§2.1). */
export const DEFAULT_INTERVAL = 1_440;

/** In minutes: `24h`, `1440m`, `1d` or `1440`. */
const interval: Argument<number, number | null> = {
  key: 'every',
  takes: '24h',
  schema: z.int().nonnegative(),
  expected: 'an interval such as every:24h or every:1440m',
  read(typed) {
    const [, count, unit = 'm'] = TIME.exec(typed) ?? [];
    return Number(count) * (MINUTES_IN[unit.slice(0, 1).toLowerCase()] ?? 1);
  },
  draw(id, now, { leastRefreshMinutes }) {
    const usual = USUAL_INTERVALS.filter((minutes) => minutes >= leastRefreshMinutes);
    const all = new Set(now === null ? usual : [...usual, now]);
    const options = [...all]
      .toSorted((a, b) => a - b)
      .map((minutes) => ({
        value: String(minutes),
        label: minutes % 60 === 0 ? `${minutes / 60} hours` : `${minutes} minutes`,
      }));
    const initial = now === null ? null : String(now);
    return [{ kind: 'choice', id, label: 'Scan interval', options, initial }];
  },
};

const color: Argument<string, string | null> = {
  key: 'color',
  takes: 'NAME|#RRGGBB',
  schema: z.string().max(MAX_LINE_LENGTH),
  expected: COLOR,
  read: (typed) => (colorValue(typed) === null ? undefined : typed),
  draw(id, now) {
    const initial = now === null ? null : colorKey(now);
    return [{ kind: 'choice', id, label: 'Color', optional: true, options: colorOptions(now), initial }];
  },
};

/** One of the nine colors in the menu's spelling; any other unchanged. */
function colorKey(color: string): string {
  const value = colorValue(color) ?? color;
  return COLORS.find((one) => one.value.toLowerCase() === value.toLowerCase())?.value ?? value;
}

/** The nine colors, and the current one if the console does not know it and shows its first instead (§2.1). */
function colorOptions(now: string | null): readonly FormOption[] {
  const nine = COLORS.map(({ name, value }) => ({ value, label: name, detail: value }));
  if (now === null || nine.some(({ value }) => value === colorKey(now))) return nine;
  const currentName = colorName(now);
  return [
    ...nine,
    {
      value: colorKey(now),
      label: now,
      ...(currentName === null ? {} : { detail: `${currentName} in the management service` }),
    },
  ];
}

const TRI_STATES: ReadonlyMap<string, boolean | null> = new Map([
  ['device', null],
  ['on', true],
  ['off', false],
]);
const triState = z.boolean().nullable();

/** `device` keeps the devices' own setting (§2.1). */
function triStateField(id: string, label: string, now: boolean | null, on: string, off: string): FormField {
  const options = [
    { value: 'device', label: 'Device setting' },
    { value: 'on', label: on },
    { value: 'off', label: off },
  ];
  return { kind: 'choice', id, label, options, initial: now === null ? 'device' : now ? 'on' : 'off' };
}

const osAutoUpdate: Argument<boolean | null, boolean | null> = {
  key: 'updates',
  id: 'os',
  takes: 'on|off|device',
  schema: triState,
  expected: 'updates:on, updates:off or updates:device',
  read: (typed) => TRI_STATES.get(typed.toLowerCase()),
  draw: (id, now) => [triStateField(id, 'Automatic OS updates', now, 'On', 'Off')],
};

const wsusSchema = z.object({ enabled: triState, server: z.string().max(MAX_LINE_LENGTH).exactOptional() });

/** The WSUS server beside the field of `wsus`, without which it is of no use. */
export const serverId = (wsus: string): string => wsus.replace('wsus', 'server');

/** A word that is no setting is the address of the server, which needs WSUS. */
const wsus: Argument<
  z.infer<typeof wsusSchema>,
  { readonly enabled: boolean | null; readonly server: string }
> = {
  key: 'wsus',
  takes: 'on|off|device|ADDRESS',
  schema: wsusSchema,
  read(typed) {
    const enabled = TRI_STATES.get(typed.toLowerCase());
    return enabled === undefined ? { enabled: true, server: typed } : { enabled };
  },
  draw: (id, { enabled, server }) => [
    triStateField(id, 'Windows update source', enabled, 'WSUS', 'Windows Update'),
    textField(serverId(id), 'WSUS server', server, 300, {
      hint: 'http://HOST:PORT, if WSUS is chosen above.',
      optional: true,
    }),
  ],
  enter(values, id) {
    const enabled = TRI_STATES.get(selectedValue(values, id) ?? '');
    const server = textValue(values, serverId(id));
    return enabled === undefined ? undefined : { enabled, ...(enabled && server !== '' ? { server } : {}) };
  },
};

export const GROUP_ARGUMENTS = argumentsOf({
  name: recordName,
  parent: { ...named('group', 'Parent group', 'GROUP'), key: 'parent', schema: nameOrId },
  every: interval,
  color,
  notes,
  osAutoUpdate,
  wsus,
  policies: records('policy', 'policies', 'Policies'),
});

export const groupInput = GROUP_ARGUMENTS.input.extend({
  /** Added to the list as it is, and removed from it. */
  link: z.array(nameOrId).max(200).exactOptional(),
  unlink: z.array(nameOrId).max(200).exactOptional(),
});
export type GroupInput = z.infer<typeof groupInput>;

/** `name:` only where the name is not what the command is called with. */
export function parseGroup(words: LineWords, { named }: { readonly named: boolean }): TypedInput<GroupInput> {
  const rules = named ? { removable: ['policy'] } : { without: ['name'] };
  const read = GROUP_ARGUMENTS.parse(words, {
    free: true,
    reason: true,
    many: ['policy'],
    empty: ['notes'],
    ...rules,
  });
  if (read.kind === 'fault') return read;
  const policies = words.filters.filter(({ key }) => key === 'policy');
  const [link, unlink] = [listedValues(policies, false), listedValues(policies, true)];
  return { kind: 'input', input: defined({ ...read.input, link, unlink }) };
}

/** The fields as the service takes them; `parentId` is the group that `parent` names. */
export function groupChange(group: GroupInput, parentId: GroupId | undefined): GroupChange {
  const { name, every, color, notes, osAutoUpdate, wsus, policies } = group;
  return defined({
    name: name?.trim(),
    refreshIntervalMinutes: every,
    parentId,
    color,
    notes,
    osAutoUpdate,
    wsus,
    policyIds: policies && [...new Set(policies)].map(policyId),
  });
}

/** What the service would not take, by the id of its field, each with the word as it is typed and what it would take. */
export function invalidGroupFields(change: GroupChange, dialect: Dialect) {
  const { name, refreshIntervalMinutes, color, wsus } = change;
  const range = `every:${dialect.leastRefreshMinutes / 60}h to every:${MAX_REFRESH_MINUTES / 60}h`;
  const server = 'on, off, device, or a server such as http://wsus.example:8530';
  const parts: readonly (readonly [id: string, GroupChange, typed: string, expected: string])[] = [
    ['name', defined({ name }), name ?? '', 'a name that isn’t blank'],
    ['every', defined({ refreshIntervalMinutes }), formatInterval(refreshIntervalMinutes ?? 0), range],
    ['color', defined({ color }), color ?? '', COLOR],
    ['wsus', defined({ wsus }), wsus?.server ?? '', server],
  ];
  return parts.flatMap(([id, part, typed, expected]) =>
    validateGroup(part, dialect) === null ? [] : [{ id, word: `${id}:${typed}`, expected }],
  );
}

/** The first of them. */
export function usageFaultOf(change: GroupChange, dialect: Dialect): UsageFault | null {
  const [first] = invalidGroupFields(change, dialect);
  return first === undefined ? null : { kind: 'bad-value', word: first.word, expected: first.expected };
}

/** Whole hours as hours, as the bounds beside them are said. */
function formatInterval(minutes: number): string {
  return minutes > 0 && minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
}

type NotLinked = Extract<Planned, { kind: 'view' | 'problem' }>;
type Resolved = { readonly kind: 'policies'; readonly ids: readonly number[] } | NotLinked;

/** `current`: the policies of the group as it is, or what to show where it is gone. Throws FleetFailure. */
export async function withLinkedPolicies<Input extends GroupInput>(
  input: Input,
  command: Pick<HelpEntry, 'name' | 'usage'>,
  current: () => Promise<Resolved>,
  { fleet }: Pick<ReadPorts, 'fleet'>,
): Promise<{ readonly kind: 'input'; readonly input: Input } | NotLinked> {
  const { link = [], unlink = [] } = input;
  if (link.length + unlink.length === 0) return { kind: 'input', input };
  const all = await collectRows(fleet.policies(PERSON_PRIORITY));
  const again = (links: Partial<GroupInput>) => ({ command: command.name, input: { ...input, ...links } });
  const added = resolveAll(link, all, (chosen) => again({ link: chosen }));
  if (added.kind !== 'policies') return added;
  const removed = resolveAll(unlink, all, (chosen) => again({ unlink: chosen }));
  if (removed.kind !== 'policies') return removed;
  const linked = input.policies === undefined ? await current() : policiesOf(input.policies);
  if (linked.kind !== 'policies') return linked;
  const foreign = removed.ids.find((id) => !linked.ids.includes(id));
  if (foreign !== undefined) {
    const name = all.find(({ id }) => id === foreign)?.name ?? `#${foreign}`;
    const expected = 'a policy that is linked to this group';
    const fault = { kind: 'bad-value', word: `-policy:${name}`, expected } as const;
    return { kind: 'problem', problem: usageProblem(command, fault) };
  }
  const policies = [...listAfter(linked.ids, added.ids, removed.ids)];
  return { kind: 'input', input: { ...input, policies, link: [], unlink: [] } };
}

export function policiesOf(ids: readonly number[]): Resolved {
  return { kind: 'policies', ids };
}

function resolveAll(
  refs: readonly NameOrId[],
  all: readonly Policy[],
  again: (refs: NameOrId[]) => CommandChoice,
): Resolved {
  const ids: number[] = [];
  for (const [at, ref] of refs.entries()) {
    const naming = policyChoiceNames((id) => again(refs.with(at, id)));
    const found = resolveName(ref, all, naming, policyId);
    if (found.kind === 'view') return found;
    if (!all.some(({ id }) => id === found.id))
      return { kind: 'view', view: problemView(unknownNameProblem(`#${found.id}`, [], naming)) };
    ids.push(found.id);
  }
  return policiesOf(ids);
}

/** The whole list for the fields of a form. Names that do not mean one policy are left out. */
export function prefilledPolicies(
  { policies, link = [], unlink = [] }: GroupInput,
  current: readonly number[],
  all: readonly Policy[],
): readonly number[] {
  const idsOf = (refs: readonly NameOrId[]) =>
    refs.flatMap((ref) => {
      const found = matchName(ref, all, ({ name }) => name);
      return found.kind === 'one' ? [found.id] : [];
    });
  return listAfter(policies ?? current, idsOf(link), idsOf(unlink));
}
