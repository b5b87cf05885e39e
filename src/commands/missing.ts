/** `missing`: which devices miss a package, or what a CVE is about, in a group or in the whole fleet. */
import type { z } from 'zod';
import { SECOND } from '../clock.ts';
import { type GroupId, groupId } from '../ids.ts';
import { groupLabel, groupNameIn } from '../inventory/directory.ts';
import { isDefault } from '../inventory/group-paths.ts';
import type { Snapshot } from '../inventory/inventory.ts';
import type { Problem, View } from '../views/model.ts';
import type { ReadPorts } from './command.ts';
import { defineRead } from './define.ts';
import { missingForm } from './forms/missing-form.ts';
import { problemView } from './line/faults.ts';
import { wordText } from './line/grammar.ts';
import { refreshableInput } from './lists/input.ts';
import { FIRST, keep, lineOf, pageOf, recall } from './lists/paging.ts';
import type { Whole } from './lists/results.ts';
import { type MissingQuestion, missingQuestion, parseMissing } from './software/missing-input.ts';
import { inOrder, looksFor, whoMisses } from './software/missing-select.ts';
import { filterText } from './targets/device-filters.ts';
import { groupNaming } from './targets/group-meant.ts';
import { descendants, groupsNamed } from './targets/group-members.ts';
import { meant, type Ref } from './targets/named.ts';
import { noneMeant } from './targets/one-meant.ts';
import { PERSON } from './targets/resolve.ts';

const input = refreshableInput.extend(missingQuestion.shape);
type Input = z.infer<typeof input>;
type Asked = MissingQuestion;

const PAGE_SIZE = 10;
/** An answer waits so long for the packages of devices; what takes longer is read behind it. */
const WAIT_MS = 8 * SECOND;

export const missing = defineRead<Input>({
  name: 'missing',
  usage: 'missing PACKAGE|CVE-… [group:NAME] [sort:name|group|severity]',
  summary:
    'List the devices missing a package or a patch for a CVE, in a group and its subgroups or everywhere.',
  examples: ['missing openssl', 'missing CVE-2026-1234 group:"Linux servers"'],
  input,
  form: missingForm,
  parse: parseMissing,
  run: list,
  slip,
});

async function list({ result, refresh, ...asked }: Input, page: number, ports: ReadPorts): Promise<View> {
  const { inventory, results, pageSize: size = PAGE_SIZE } = ports;
  const before = recall(results.missing, { result, refresh }, ports);
  if (before !== null) return pageOf(before, page, size);
  const snapshot = await inventory.snapshot(PERSON);
  const wrong = unknownGroup(asked, snapshot);
  if (wrong !== null) return problemView(wrong);
  const groups = asked.group === null ? null : groupsMeant(asked.group, snapshot);
  const whole = await look({ ...asked, refresh }, groups, snapshot, ports);
  const marks = keep(results.missing, whole, size, { result, refresh }, ports);
  return pageOf({ whole, marks }, page, size);
}

async function look(
  { refresh, ...asked }: Omit<Input, 'result'>,
  groups: ReadonlySet<GroupId> | null,
  snapshot: Snapshot,
  { misses, clock }: ReadPorts,
): Promise<Whole<'missing'>> {
  const { sought } = asked;
  const { candidates, known, unread, isGoing, seen, isSeenWhole } = await misses.look({
    groups,
    waitMs: WAIT_MS,
    refresh: refresh === true,
  });
  const { rows, names, oldest } = whoMisses(candidates, known, sought);
  const isKnown = sought.kind === 'cve' ? seen.hasCve(sought.cve) : seen.hasName(sought.name);
  const asIs = question(asked, snapshot);
  return {
    kind: 'missing',
    question: asIs,
    what: sought.kind === 'cve' ? sought.cve : sought.name,
    ...(asked.group === null ? {} : { inGroup: groupText(asked.group, snapshot) }),
    rows: inOrder(
      rows.map(({ device, packages }) => ({
        line: { device, groupName: groupNameIn(snapshot, device.groupId) },
        packages,
      })),
      asked.sort,
    ),
    devices: devicesIn(snapshot, groups),
    candidates: candidates.length,
    looked: known.size,
    unread,
    isGoing,
    oldest,
    sought: sought.kind,
    standing: isKnown ? 'known' : isSeenWhole ? 'unknown' : 'unsure',
    nearest: rows.length > 0 || sought.kind === 'cve' ? [] : looksFor(sought.name, names, seen.names()),
    unlisted: snapshot.unlisted,
    partial: snapshot.partial,
    overdue: snapshot.overdue,
    paging: {
      command: 'missing',
      input: asked,
      ...lineOf('missing', asIs),
      ...FIRST,
      total: rows.length,
      // As old as the oldest reading that it rests on.
      asOf: oldest ?? clock.now(),
    },
  };
}

/** A menu gives the number of one group; a name may be that of several. */
function groupsMeant(group: Ref, { groups }: Snapshot): ReadonlySet<GroupId> {
  if (typeof group === 'string') return groupsNamed(group, groups.values());
  const one = groups.get(groupId(group));
  if (one === undefined) return new Set();
  return isDefault(one) ? new Set([one.id]) : descendants([one.id], [...groups.values()]);
}

async function slip({ result: _, refresh: __, ...asked }: Input, ports: ReadPorts): Promise<Problem | null> {
  return unknownGroup(asked, await ports.inventory.snapshot(PERSON));
}

/** Null where the group is known, or none was named. */
function unknownGroup(asked: Asked, snapshot: Snapshot): Problem | null {
  const { group } = asked;
  if (group === null || groupsMeant(group, snapshot).size > 0) return null;
  const query = typeof group === 'number' ? `#${group}` : group;
  const found = meant(group, [...snapshot.groups.values()], groupLabel);
  const again = (id: number) => ({ command: 'missing', input: { ...asked, group: id } });
  return noneMeant(query, found.kind === 'none' ? found.nearest : [], groupNaming(snapshot.groups, again));
}

function devicesIn({ devices }: Snapshot, groups: ReadonlySet<GroupId> | null): number {
  if (groups === null) return devices.length;
  return devices.filter(({ groupId }) => groupId !== null && groups.has(groupId)).length;
}

function question({ sought, group, sort }: Asked, snapshot: Snapshot): string {
  const what = sought.kind === 'cve' ? filterText('cve', sought.cve) : nameText(sought.name);
  const order = sort === undefined ? [] : [filterText('sort', sort)];
  if (group === null) return [what, ...order].join(' ');
  return [what, filterText('group', groupText(group, snapshot)), ...order].join(' ');
}

function groupText(group: Ref, { groups }: Snapshot): string {
  const one = typeof group === 'string' ? undefined : groups.get(groupId(group));
  return one === undefined ? String(group) : groupLabel(one);
}

/** A name of several words needs no quotes, unless one of them would be read as something else. */
function nameText(name: string): string {
  const words = name.split(' ');
  return words.every((word) => word !== '' && wordText(word) === word) ? name : wordText(name);
}
