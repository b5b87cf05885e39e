/** `missing`: which devices miss a package, what a CVE is about, or patches of a severity, in groups or in the whole fleet. */

import { z } from 'zod';
import { groupLabel, SEVERITIES, withSubgroups } from '../fleet/model/derived-fields.ts';
import { groupNameIn, type Snapshot } from '../inventory/inventory.ts';
import type { MissingPatchAnswer } from '../inventory/missing-patches/missing-patch-index.ts';
import { type GroupId, groupId } from '../lib/ids.ts';
import { ROOT_COMMAND } from '../lib/slash-commands.ts';
import type { FieldValues } from '../views/models/form-model.ts';
import type { Offer } from '../views/models/problem-model.ts';
import type { MissingView } from '../views/software/missing-list.ts';
import type { Problem, View } from '../views/views.ts';
import type { CommandForm, FormPorts, FormValues, OpenedForm, ReadPorts } from './core/command.ts';
import { defineReadCommand } from './core/define-command.ts';
import {
  fieldError,
  idValues,
  searchesField,
  selectedValue,
  textField,
  textValue,
} from './core/field-values.ts';
import { groupOption } from './forms/subject-forms.ts';
import {
  cacheResult,
  type FoundList,
  findCachedResult,
  listChanges,
  listState,
  refreshableInput,
  viewPage,
  wholePaging,
} from './lists/paging.ts';
import { defineResultList, inRows, rowWeight } from './lists/result-cache.ts';
import { readCve, readMissingTarget } from './parser/missing-target.ts';
import { quoteValue, quoteWord } from './parser/tokenizer.ts';
import { problemView } from './parser/usage-errors.ts';
import {
  devicesMissing,
  groupsField,
  type MissingQuery,
  missingQuerySchema,
  nameSuggestions,
  parseMissing,
  patchChoice,
  sortMissingRows,
} from './software/package-filters.ts';
import { type DeviceFilter, type DeviceListQuery, filterText } from './targets/device-query.ts';
import { PACKAGE_WAIT_MS, readingOf } from './targets/find-devices.ts';
import { matchName, type NameOrId, unknownNameProblem } from './targets/name-lookup.ts';
import { PERSON_PRIORITY } from './targets/resolve-device.ts';
import { groupChoiceNames, groupsMatching } from './targets/resolve-group-or-policy.ts';

const input = refreshableInput.extend(missingQuerySchema.shape);
type Input = z.infer<typeof input>;

const missingPages = defineResultList<MissingView>(10, ({ rows }) =>
  rowWeight(rows, ({ packages }) => inRows(packages)),
);

export const missingForm: CommandForm = { open: openForm, read: readForm };

export const missingCommand = defineReadCommand<Input>({
  name: 'missing',
  usage: 'missing PACKAGE|CVE-…|severity:critical|high|medium|low [group:NAME] [sort:name|group|severity]',
  summary:
    'List the devices missing a package, a patch for a CVE or any patch of a severity, in groups and their subgroups or everywhere.',
  examples: [
    'missing openssl',
    'missing CVE-2026-1234 group:"Linux servers"',
    'missing severity:critical group:"Linux servers"',
  ],
  input,
  form: missingForm,
  parse: parseMissing,
  run: list,
  findUnknownName: async ({ result: _, refresh: __, ...asked }, { inventory }) =>
    unknownGroup(asked, await inventory.snapshot(PERSON_PRIORITY)),
});

async function list({ result, refresh, ...query }: Input, page: number, ports: ReadPorts): Promise<View> {
  const before = findCachedResult(missingPages, { result, refresh }, ports);
  if (before !== null) return withChanges(before, page, query, ports);
  const snapshot = await ports.inventory.snapshot(PERSON_PRIORITY);
  const wrong = unknownGroup(query, snapshot);
  if (wrong !== null) return problemView(wrong);
  const groups = query.group === null ? null : resolveGroups(query.group, snapshot);
  const content = await findMissing({ ...query, refresh }, groups, snapshot, ports);
  const found = cacheResult(missingPages, content, { result, refresh }, ports);
  return withChanges(found, page, query, ports);
}

async function withChanges(
  found: FoundList<MissingView>,
  page: number,
  query: MissingQuery,
  ports: ReadPorts,
): Promise<View> {
  const { sought } = query;
  const view = viewPage(found, page);
  const { rows, candidates, looked, partial } = found.whole;
  if ((partial ?? null) !== null) return view;
  const ids = rows.map(({ line: { device } }) => Number(device.id));
  const patch = patchChoice(
    [sought],
    rows.map(({ packages }) => packages),
  );
  const again = deviceQuery(query, await ports.inventory.snapshot(PERSON_PRIORITY));
  const listed = { ids, patch, isPart: looked < candidates, ...(again === null ? {} : { query: again }) };
  return { ...view, ...(await listChanges(listed, ports)) };
}

/** What finds the same devices as `devices` does; null where its filters have no words for it. */
function deviceQuery({ sought, group }: MissingQuery, snapshot: Snapshot): DeviceListQuery | null {
  const values = sought.kind === 'package' ? [sought.name] : soughtText(sought).split(',');
  if (values.some((value) => readMissingTarget(value).kind !== sought.kind)) return null;
  const missing = eitherFilter('missing', values);
  if (group === null) return { words: [], filters: missing };
  const names = groupNames(group, snapshot);
  // Several groups may have one name, of which a menu means a single one.
  if (resolveGroups(names, snapshot).symmetricDifference(resolveGroups(group, snapshot)).size > 0)
    return null;
  return { words: [], filters: [...missing, ...eitherFilter('group', names)] };
}

function eitherFilter(key: DeviceFilter['key'], values: readonly string[]): DeviceFilter[] {
  return values.map((value, at) => ({ key, value, negated: false, ...(at === 0 ? {} : { or: true }) }));
}

async function findMissing(
  { refresh, ...query }: Omit<Input, 'result'>,
  groups: ReadonlySet<GroupId> | null,
  snapshot: Snapshot,
  { missingPatches, clock }: ReadPorts,
): Promise<MissingView> {
  const { sought } = query;
  const answer = await missingPatches.query({ groups, waitMs: PACKAGE_WAIT_MS, refresh: refresh === true });
  const { devices, known, seen, isSeenComplete } = answer;
  const { rows, names } = devicesMissing(devices, known, sought);
  const reading = readingOf(answer);
  return {
    kind: 'missing',
    what: soughtText(sought),
    ...(query.group === null ? {} : { inGroup: groupNames(query.group, snapshot).join(' or ') }),
    rows: sortMissingRows(
      rows.map(({ device, packages }) => ({
        line: { device, groupName: groupNameIn(snapshot, device.groupId) },
        packages,
      })),
      query.sort,
    ),
    devices: devicesIn(snapshot, groups),
    ...reading,
    sought: sought.kind,
    standing: isKnown(sought, seen) ? 'known' : isSeenComplete ? 'unknown' : 'unsure',
    ...(sought.kind === 'cve' ? { unseenCves: sought.cves.filter((cve) => !seen.hasCve(cve)) } : {}),
    offers:
      rows.length > 0 || sought.kind !== 'package'
        ? []
        : nameSuggestions(sought.name, names, seen.names()).map((name) =>
            missingOffer({ ...query, sought: { kind: 'package', name } }, snapshot),
          ),
    ...listState(snapshot),
    paging: wholePaging('missing', query, queryText(query, snapshot), {
      total: rows.length,
      // Of the newest reading that it rests on: a note says how old the oldest is.
      asOf: reading.newest ?? clock.now(),
    }),
  };
}

function missingOffer(input: MissingQuery, snapshot: Snapshot): Offer {
  const line = `${ROOT_COMMAND} missing ${queryText(input, snapshot)}`;
  return { kind: 'line', does: 'run', line, choice: { command: 'missing', input } };
}

function soughtText(sought: MissingQuery['sought']): string {
  switch (sought.kind) {
    case 'package':
      return sought.name;
    case 'cve':
      return sought.cves.join(',');
    case 'severity':
      return sought.severities.join(',');
  }
}

/** A severity is no name that may be mistyped. */
function isKnown(sought: MissingQuery['sought'], seen: MissingPatchAnswer['seen']): boolean {
  switch (sought.kind) {
    case 'package':
      return seen.hasName(sought.name);
    case 'cve':
      return sought.cves.some(seen.hasCve);
    case 'severity':
      return true;
  }
}

function resolveGroups(groups: readonly NameOrId[], snapshot: Snapshot): ReadonlySet<GroupId> {
  return new Set(groups.flatMap((one) => [...resolveGroup(one, snapshot)]));
}

/** A menu gives the number of one group; a name may be that of several. */
function resolveGroup(group: NameOrId, { groups }: Snapshot): ReadonlySet<GroupId> {
  if (typeof group === 'string') return groupsMatching(group, groups.values());
  const one = groups.get(groupId(group));
  if (one === undefined) return new Set();
  return withSubgroups(one, groups.values());
}

/** Null where the group is known, or none was named. */
function unknownGroup(missingQuery: MissingQuery, snapshot: Snapshot): Problem | null {
  const groups = missingQuery.group ?? [];
  const unknown = groups.find((one) => resolveGroup(one, snapshot).size === 0);
  if (unknown === undefined) return null;
  const query = typeof unknown === 'number' ? `#${unknown}` : unknown;
  const found = matchName(unknown, [...snapshot.groups.values()], groupLabel);
  const again = (id: number) => {
    const group = groups.map((one) => (one === unknown ? id : one));
    return { command: 'missing', input: { ...missingQuery, group } };
  };
  return unknownNameProblem(
    query,
    found.kind === 'none' ? found.nearest : [],
    groupChoiceNames(snapshot.groups, again),
  );
}

function devicesIn({ devices }: Snapshot, groups: ReadonlySet<GroupId> | null): number {
  if (groups === null) return devices.length;
  return devices.filter(({ groupId }) => groupId !== null && groups.has(groupId)).length;
}

function queryText({ sought, group, sort }: MissingQuery, snapshot: Snapshot): string {
  const what = sought.kind === 'package' ? nameText(sought.name) : `${sought.kind}:${soughtText(sought)}`;
  const order = sort === undefined ? [] : [filterText('sort', sort)];
  if (group === null) return [what, ...order].join(' ');
  return [what, `group:${groupNames(group, snapshot).map(quoteValue).join(',')}`, ...order].join(' ');
}

function groupNames(group: readonly NameOrId[], { groups }: Snapshot): readonly string[] {
  return group.map((one) => {
    const known = typeof one === 'string' ? undefined : groups.get(groupId(one));
    return known === undefined ? String(one) : groupLabel(known);
  });
}

/** A name of several words needs no quotes, unless one of them would be read as something else. */
function nameText(name: string): string {
  const words = name.split(' ');
  return words.every((word) => word !== '' && quoteWord(word) === word) ? name : quoteWord(name);
}

const PACKAGE = 'package';
const CVE = 'cve';
const SEVERITY = 'severities';
const GROUP = 'group';
/** The number of a CVE has no maximum length, so this is our own. */
const CVE_LENGTH = 40;

const prefillSchema = z.object({ group: groupsField.nullable() }).catch({ group: null });

async function openForm(typed: unknown, ports: FormPorts): Promise<OpenedForm> {
  const { group } = prefillSchema.parse(typed);
  const options = await Promise.all((group ?? []).map((one) => groupOption(one, ports)));
  const form = {
    command: 'missing',
    title: 'Missing patches',
    submit: 'Show',
    context: null,
    fields: [
      { kind: 'search', id: PACKAGE, label: 'Package', of: 'package', initial: null, optional: true },
      textField(CVE, 'Or a CVE', '', CVE_LENGTH, { hint: 'For example CVE-2026-1234.', optional: true }),
      {
        kind: 'choices',
        id: SEVERITY,
        label: 'Or any patch of these severities',
        options: SEVERITIES.map((severity) => ({ value: severity, label: severity })),
        initial: [],
        menu: true,
        optional: true,
      },
      searchesField(
        GROUP,
        'Only these groups and their subgroups',
        'group',
        options.filter((option) => option !== null),
        { optional: true },
      ),
    ],
  } as const;
  return { kind: 'form', form } as const;
}

function readForm(values: FieldValues): FormValues {
  const name = selectedValue(values, PACKAGE);
  const typed = textValue(values, CVE);
  const severities = SEVERITIES.filter((severity) => values.get(SEVERITY)?.includes(severity));
  const chosen = [name !== null && PACKAGE, typed !== '' && CVE, severities.length > 0 && SEVERITY];
  const [field, second] = chosen.filter((one) => one !== false);
  if (field === undefined)
    return fieldError(PACKAGE, 'Choose a package or severities, or enter a CVE below.');
  if (second !== undefined) return fieldError(second, 'Use one of package, CVE and severities.');
  const groups = idValues(values, GROUP);
  const group = groups.length === 0 ? null : groups;
  if (name !== null) return { kind: 'input', input: { sought: { kind: 'package', name }, group } };
  if (severities.length > 0)
    return { kind: 'input', input: { sought: { kind: 'severity', severities }, group } };
  const cve = readCve(typed);
  if (cve === null) return fieldError(CVE, 'Enter a CVE such as CVE-2026-1234.');
  return { kind: 'input', input: { sought: { kind: 'cve', cves: [cve] }, group } };
}
