/** The fields of a group as they are typed or chosen, and as the service takes them. */

import { z } from 'zod';
import type { Dialect } from '../../fleet/dialect.ts';
import { MAX_REFRESH_MINUTES, validateGroup } from '../../fleet/editor/group-fields.ts';
import type { GroupChange, GroupField } from '../../fleet/model/changes.ts';
import { COLORS, colorValue } from '../../fleet/model/derived-fields.ts';
import type { Policy } from '../../fleet/model/resources.ts';
import { collectRows } from '../../fleet/reads/read-helpers.ts';
import { type GroupId, policyId } from '../../lib/ids.ts';
import { defined } from '../../lib/record-fields.ts';
import type { CommandChoice } from '../../views/models/list-model.ts';
import type { HelpEntry, UsageFault } from '../../views/types.ts';
import type { Planned, ReadPorts, TypedInput } from '../core/command.ts';
import { type LineWords, MAX_LINE_LENGTH } from '../parser/tokenizer.ts';
import {
  badValue,
  type FieldFilters,
  listedValues,
  problemView,
  readFieldFilters,
  usageProblem,
} from '../parser/usage-errors.ts';
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

const text = z.string().max(MAX_LINE_LENGTH);

export const groupInput = z.object({
  name: text.exactOptional(),
  parent: nameOrId.exactOptional(),
  /** In minutes. */
  every: z.int().nonnegative().exactOptional(),
  color: text.exactOptional(),
  /** A form's field holds more than a line that is typed (3,000 characters, Slack). */
  notes: z.string().max(3_000).exactOptional(),
  osAutoUpdate: z.boolean().nullable().exactOptional(),
  wsus: z.object({ enabled: z.boolean().nullable(), server: text.exactOptional() }).exactOptional(),
  /** The whole list. */
  policies: z.array(z.int().positive()).max(500).exactOptional(),
  /** Added to the list as it is, and removed from it. */
  link: z.array(nameOrId).max(200).exactOptional(),
  unlink: z.array(nameOrId).max(200).exactOptional(),
});
export type GroupInput = z.infer<typeof groupInput>;

const COLOR = `one of ${COLORS.map(({ name }) => name).join(', ')}, or #RRGGBB`;
const KEYS = ['parent', 'every', 'color', 'notes', 'updates', 'wsus'];

export const GROUP_USAGE =
  '[every:24h] [color:NAME|#RRGGBB] [notes:TEXT] [updates:on|off|device] [wsus:on|off|device|ADDRESS]';

/** `name:` only where the name is not what the command is called with. */
export function parseGroup(words: LineWords, { named }: { readonly named: boolean }): TypedInput<GroupInput> {
  const once = named ? ['name', ...KEYS] : KEYS;
  const fields = readFieldFilters(words, { once, many: ['policy'], removable: named ? ['policy'] : [] });
  return fields.kind === 'fault' ? fields : groupFromFilters(fields.input);
}

function groupFromFilters({ single, all }: FieldFilters): TypedInput<GroupInput> {
  const [name, parent, every, color, notes, updates, wsus] = ['name', ...KEYS].map(single);
  const minutes = every === undefined ? undefined : readMinutes(every.value);
  if (every !== undefined && minutes === null)
    return badValue(every, 'an interval such as every:24h or every:1440m');
  if (color !== undefined && colorValue(color.value) === null) return badValue(color, COLOR);
  const osAutoUpdate = updates === undefined ? undefined : readTriState(updates.value);
  if (updates !== undefined && osAutoUpdate === undefined)
    return badValue(updates, 'updates:on, updates:off or updates:device');
  return {
    kind: 'input',
    input: defined({
      name: name?.value,
      parent: parent?.value,
      every: minutes ?? undefined,
      color: color?.value,
      notes: notes?.value,
      osAutoUpdate,
      wsus: wsus && readWsus(wsus.value),
      link: listedValues(all('policy'), false),
      unlink: listedValues(all('policy'), true),
    }),
  };
}

/** In minutes: how often the service scans where nothing else was said (§2.1). */
export const DEFAULT_INTERVAL = 1_440;

/** `device` keeps the devices' own setting (§2.1). Undefined: another word. */
export function readTriState(typed: string | null): boolean | null | undefined {
  switch (typed?.toLowerCase()) {
    case 'on':
      return true;
    case 'off':
      return false;
    case 'device':
      return null;
    default:
      return undefined;
  }
}

/** A word that is no setting is the address of the server, which needs WSUS. */
function readWsus(typed: string): NonNullable<GroupInput['wsus']> {
  const enabled = readTriState(typed);
  return enabled === undefined ? { enabled: true, server: typed } : { enabled };
}

const TIME = /^(\d{1,5}) ?(m|min|minutes?|h|hours?|d|days?)?$/i;
const MINUTES_IN: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1_440 };

/** Minutes of `24h`, `1440m`, `1d` or `1440`; null for other texts. */
function readMinutes(typed: string): number | null {
  const [, count, unit = 'm'] = TIME.exec(typed) ?? [];
  if (count === undefined) return null;
  return Number(count) * (MINUTES_IN[unit.slice(0, 1).toLowerCase()] ?? 1);
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

type GroupFieldFault = { readonly field: GroupField; readonly expected: string };

/** The fields that the service would not take, each with what it would. */
export function invalidGroupFields(change: GroupChange, dialect: Dialect): readonly GroupFieldFault[] {
  const { name, refreshIntervalMinutes, color, wsus } = change;
  const interval = `every:${dialect.leastRefreshMinutes / 60}h to every:${MAX_REFRESH_MINUTES / 60}h`;
  const server = 'on, off, device, or a server such as http://wsus.example:8530';
  const parts: readonly (readonly [GroupField, GroupChange, expected: string])[] = [
    ['name', defined({ name }), 'a name that isn’t blank'],
    ['refreshIntervalMinutes', defined({ refreshIntervalMinutes }), interval],
    ['color', defined({ color }), COLOR],
    ['wsus', defined({ wsus }), server],
  ];
  return parts.flatMap(([field, part, expected]) =>
    validateGroup(part, dialect) === null ? [] : [{ field, expected }],
  );
}

/** The first of them in the words of a line that was typed. */
export function usageFaultOf(change: GroupChange, dialect: Dialect): UsageFault | null {
  const [first] = invalidGroupFields(change, dialect);
  if (first === undefined) return null;
  return { kind: 'bad-value', word: fieldAsTyped(first.field, change), expected: first.expected };
}

/** Whole hours as hours, as the bounds beside them are said. */
function formatInterval(minutes: number): string {
  return minutes > 0 && minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`;
}

function fieldAsTyped(field: GroupField, { name, refreshIntervalMinutes, color, wsus }: GroupChange): string {
  switch (field) {
    case 'refreshIntervalMinutes':
      return `every:${formatInterval(refreshIntervalMinutes ?? 0)}`;
    case 'color':
      return `color:${color ?? ''}`;
    case 'wsus':
      return `wsus:${wsus?.server ?? ''}`;
    default:
      return `name:${name ?? ''}`;
  }
}

type NotLinked = Extract<Planned, { kind: 'view' | 'problem' }>;
type Resolved = { readonly kind: 'policies'; readonly ids: readonly number[] } | NotLinked;

/**
 * The input with the whole list of policies in place of those to link and unlink. `current`: the policies of the group as it
 * is, or what to show where it no longer exists. Throws FleetFailure.
 */
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
