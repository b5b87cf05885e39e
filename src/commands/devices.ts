/** `devices`: the fleet by words and filters, a page at a time. */
import { z } from 'zod';
import { type DeviceId, deviceId } from '../ids.ts';
import { groupNameIn } from '../inventory/directory.ts';
import { isInName } from '../inventory/fields.ts';
import type { IndexedDevice, Snapshot } from '../inventory/inventory.ts';
import { MOST_WORDS } from '../inventory/matching.ts';
import { remembered } from '../inventory/remembered.ts';
import { seenAt } from '../inventory/row.ts';
import type { DevicesRow, View } from '../views/model.ts';
import type { DeviceTotals } from '../views/models/device-model.ts';
import type { ReadPorts } from './command.ts';
import { defineRead, type Typed } from './define.ts';
import { findForm } from './forms/find-form.ts';
import { extraWord, problemView, usageProblem } from './line/faults.ts';
import { type Words, wordText } from './line/grammar.ts';
import { keep, lineOf, type Marks, placeOf, recall } from './lists/paging.ts';
import { type DevicesResult, resultKey } from './lists/results.ts';
import { personalRefusal } from './personal.ts';
import {
  CONDITION_NAMES,
  deviceFilter,
  filterText,
  isPending,
  PERSONAL_KEYS,
  readFilters,
} from './targets/device-filters.ts';
import type { UnknownValue } from './targets/device-matchers.ts';
import { alternatives, select } from './targets/device-select.ts';
import { deviceSort, SORTS, sortText } from './targets/device-sort.ts';
import { PERSON } from './targets/resolve.ts';

const input = z.object({
  words: z.array(z.string()),
  filters: z.array(deviceFilter),
  sort: deviceSort.optional(),
  result: resultKey.optional(),
  /** Of the button that reads the fleet anew. */
  refresh: z.literal(true).optional(),
});
type Input = z.infer<typeof input>;
type Asked = Omit<Input, 'refresh' | 'result'>;

const PAGE_SIZE = 10;
const USAGE = [
  'devices [words] [group:NAME] [os:NAME] [tag:NAME] [ip:ADDRESS|NETWORK] [user:NAME] [serial:TEXT]',
  '[policy:NAME|#ID] [fails:NAME|#ID] [version:AGENT|SYSTEM] [in:NAME]',
  `[is:${CONDITION_NAMES.join('|')}] [sort:${SORTS.join('|')}]`,
].join(' ');

export const devices = defineRead<Input>({
  name: 'devices',
  usage: USAGE,
  summary:
    'List devices by what you have in hand (names, addresses, serial numbers, users) and by filters: “-” turns one round, “or” and commas mean either. Stale is what was not seen for 30 days; a version is how the agent’s or the system’s begins.',
  examples: [
    'devices web or db',
    'devices group:"Linux servers" is:needs-reboot',
    'devices os:windows,mac -is:online sort:seen',
    'devices fails:"Apply All Patches" or is:stale',
  ],
  input,
  targets: true,
  form: findForm(parse),
  parse,
  run: list,
});

const LONE_OR = {
  kind: 'bad-value',
  word: 'or',
  expected: 'a word on both sides, or a filter on both sides',
} as const;

/** Each of them may be looked for in the whole fleet, while everybody else waits. */
const TOO_MANY = { kind: 'bad-value', expected: `at most ${MOST_WORDS} words` } as const;

function parse(words: Words): Typed<Input> {
  if (words.flags.some((flag) => /^or$/i.test(flag)) || alternatives(words.free) === null) {
    return { kind: 'fault', fault: LONE_OR };
  }
  const tooMany = words.free.filter((word) => word.toLowerCase() !== 'or')[MOST_WORDS];
  if (tooMany !== undefined) return { kind: 'fault', fault: { ...TOO_MANY, word: tooMany } };
  const extra = extraWord(words, { filters: true, or: true });
  if (extra !== null) return { kind: 'fault', fault: extra };
  const read = readFilters(words.filters);
  if (read.kind === 'fault') return read;
  const sort = read.sort === null ? {} : { sort: read.sort };
  return { kind: 'input', input: { words: [...words.free], filters: [...read.filters], ...sort } };
}

async function list({ result, refresh, ...asked }: Input, page: number, ports: ReadPorts): Promise<View> {
  const { inventory, clock, results, pageSize: size = PAGE_SIZE } = ports;
  const personal = asked.filters.find(({ key }) => PERSONAL_KEYS.has(key));
  const refused = personalRefusal(ports, personal && `${personal.key}:`);
  if (refused !== null) return problemView(refused);
  const snapshot = await inventory.snapshot({ ...PERSON, refresh: refresh === true });
  const before = recall(results.devices, { result, refresh }, ports);
  if (before !== null) return drawn(asked, before, page, size, snapshot);
  const selected = select(snapshot, asked, clock.now());
  if (selected.kind === 'unknown') return unknownValue(selected.unknown);
  const whole = resultOf(asked, selected, snapshot);
  const marks = keep(results.devices, whole, size, { result, refresh }, ports);
  return drawn(asked, { whole, marks }, page, size, snapshot);
}

type Chosen = Extract<ReturnType<typeof select>, { readonly kind: 'devices' }>;

function resultOf(asked: Asked, { devices, close }: Chosen, snapshot: Snapshot): DevicesResult {
  return {
    rows: Float64Array.from(devices, ({ id }) => id),
    said: {
      kind: 'devices',
      title: question(asked),
      ...withoutPersonal(asked, devices),
      totals: devices === snapshot.devices ? totalsOfAll(snapshot) : totalsOf(devices),
      unlisted: snapshot.unlisted,
      partial: snapshot.partial,
      overdue: snapshot.overdue,
      close,
    },
    asOf: snapshot.asOf,
  };
}

type Found = { readonly whole: DevicesResult; readonly marks: Marks };

/** One page of the result, with the facts of its devices as they are now. */
function drawn(
  asked: Asked,
  { whole: { rows, said, asOf }, marks }: Found,
  page: number,
  size: number,
  snapshot: Snapshot,
): View {
  const at = placeOf(rows, page, size);
  const shown = rows.slice(at.page * size, (at.page + 1) * size);
  const known = byId(snapshot.devices, new Set(shown));
  const line = (id: DeviceId): DevicesRow => {
    const device = known.get(id) ?? null;
    if (device === null) return { device, id };
    return { device, groupName: groupNameIn(snapshot, device.groupId), seenAt: seenAt(device) };
  };
  return {
    ...said,
    rows: Array.from(shown, (id) => line(deviceId(id))),
    paging: {
      command: 'devices',
      input: asked,
      ...lineOf('devices', said.title),
      ...at,
      ...marks,
      total: rows.length,
      asOf,
    },
  };
}

/** In one pass: there may be a hundred thousand, of which a page needs ten. */
function byId(
  devices: readonly IndexedDevice[],
  ids: ReadonlySet<number>,
): ReadonlyMap<DeviceId, IndexedDevice> {
  const found = new Map<DeviceId, IndexedDevice>();
  for (const device of devices) if (ids.has(device.id)) found.set(device.id, device);
  return found;
}

/** What was understood, as it would be typed. */
export function question({ words, filters, sort }: Asked): string {
  const parts = filters.map(({ key, value, negated, or }) => {
    const text = filterText(key, value, negated);
    return or === true ? `or ${text}` : text;
  });
  return [...words.map(wordText), ...parts, ...(sort === undefined ? [] : [sortText(sort)])].join(' ');
}

const HIDDEN = '…';

/**
 * The same for a channel, where it differs: a list of the devices of one person, or of one address, says as much as the
 * name would. Words that are not in the names of all of them were found in something personal.
 */
function withoutPersonal({ words, filters, sort }: Asked, devices: readonly IndexedDevice[]) {
  const isPublic = (word: string, device: IndexedDevice) => /^#\d+$/.test(word) || isInName(device, word);
  const hidden = (alternatives(words) ?? [words]).filter(
    (clause) => !devices.every((device) => clause.some((word) => isPublic(word, device))),
  );
  const open: Asked = {
    words: words.map((word) => (hidden.some((clause) => clause.includes(word)) ? HIDDEN : word)),
    filters: filters.map((filter) => (PERSONAL_KEYS.has(filter.key) ? { ...filter, value: HIDDEN } : filter)),
    sort,
  };
  const publicTitle = question(open);
  return publicTitle === question({ words, filters, sort }) ? {} : { publicTitle };
}

/** In one pass: there may be a hundred thousand. */
function totalsOf(devices: readonly IndexedDevice[]): DeviceTotals {
  let [online, offline, pending, needsReboot, noncompliant] = [0, 0, 0, 0, 0];
  for (const device of devices) {
    if (device.connected === true) online += 1;
    if (device.connected === false) offline += 1;
    if (isPending(device)) pending += 1;
    if (device.needsReboot === true) needsReboot += 1;
    if (device.compliant === false) noncompliant += 1;
  }
  return { online, offline, pending, needsReboot, noncompliant };
}

const totalsOfAll = remembered(({ devices }) => totalsOf(devices));

function unknownValue(unknown: UnknownValue): View {
  switch (unknown.kind) {
    case 'group':
      return problemView({ kind: 'no-such-group', query: unknown.value, nearest: unknown.nearest });
    case 'policy':
      return problemView({ kind: 'no-such-policy', query: unknown.value, nearest: unknown.nearest });
    case 'word':
      return problemView(usageProblem({ name: 'devices', usage: USAGE }, unknown.fault));
  }
}
