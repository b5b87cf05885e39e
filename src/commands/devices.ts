/** `devices`: the fleet by words and filters, a page at a time. */
import type { z } from 'zod';
import { type DeviceId, deviceId } from '../ids.ts';
import { countDevices } from '../inventory/device-counts.ts';
import { groupNameIn } from '../inventory/directory.ts';
import type { IndexedDevice, Snapshot } from '../inventory/inventory.ts';
import { MOST_WORDS } from '../inventory/matching.ts';
import { remembered } from '../inventory/remembered.ts';
import { seenAt } from '../inventory/row.ts';
import type { DevicesRow, Problem, View } from '../views/model.ts';
import type { ReadPorts } from './command.ts';
import { defineRead, type Typed } from './define.ts';
import { findForm } from './forms/find-form.ts';
import { isBareCve } from './line/cve.ts';
import { extraWord, problemView } from './line/faults.ts';
import type { Words } from './line/grammar.ts';
import { refreshableInput } from './lists/input.ts';
import { keep, lineOf, type Marks, placeOf, recall } from './lists/paging.ts';
import type { DevicesResult } from './lists/results.ts';
import { personalRefusal } from './personal.ts';
import { ROOT } from './root.ts';
import { CONDITION_NAMES, PERSONAL_KEYS, readFilters } from './targets/device-filters.ts';
import {
  type DevicesQuestion,
  devicesQuestion,
  publicTitle,
  question,
  withPolicyNames,
} from './targets/device-question.ts';
import { alternatives, select, unknownAmong } from './targets/device-select.ts';
import { SORTS } from './targets/device-sort.ts';
import { unknownValue } from './targets/devices-unknown.ts';
import { PERSON } from './targets/resolve.ts';

const input = refreshableInput.extend(devicesQuestion.shape);
type Input = z.infer<typeof input>;

const PAGE_SIZE = 10;
const USAGE = [
  'devices [words] [group:NAME] [os:NAME] [tag:NAME] [ip:ADDRESS|NETWORK] [user:NAME] [serial:TEXT]',
  '[policy:NAME|#ID] [fails:NAME|#ID] [version:AGENT|SYSTEM] [in:NAME]',
  `[is:${CONDITION_NAMES.join('|')}] [sort:${SORTS.join('|')}]`,
].join(' ');

export const devices = defineRead<Input>({
  name: 'devices',
  usage: USAGE,
  summary: 'List devices by name, address, serial number, user or filters.',
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
  slip,
});

const LONE_OR = {
  kind: 'bad-value',
  word: 'or',
  expected: 'a word or a filter on both sides',
} as const;

/** No device is found by one, which must not read as if no device missed it. */
const NOT_A_CVE = `device words; use “${ROOT} missing CVE-…” to list the devices missing a patch for it`;

/** Each of them may be looked for in the whole fleet, while everybody else waits. */
const TOO_MANY = { kind: 'bad-value', expected: `at most ${MOST_WORDS} words` } as const;

function parse(words: Words): Typed<Input> {
  if (words.flags.some((flag) => /^or$/i.test(flag)) || alternatives(words.free) === null) {
    return { kind: 'fault', fault: LONE_OR };
  }
  const tooMany = words.free.filter((word) => word.toLowerCase() !== 'or')[MOST_WORDS];
  if (tooMany !== undefined) return { kind: 'fault', fault: { ...TOO_MANY, word: tooMany } };
  const cve = words.free.find(isBareCve);
  if (cve !== undefined)
    return { kind: 'fault', fault: { kind: 'bad-value', word: cve, expected: NOT_A_CVE } };
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
  if (selected.kind === 'unknown') {
    const against = { snapshot, now: clock.now(), usage: USAGE };
    return problemView(unknownValue(selected.unknown, asked, against));
  }
  const whole = resultOf(asked, selected, snapshot);
  const marks = keep(results.devices, whole, size, { result, refresh }, ports);
  return drawn(asked, { whole, marks }, page, size, snapshot);
}

async function slip(asked: Input, { inventory, clock }: ReadPorts): Promise<Problem | null> {
  const snapshot = await inventory.snapshot(PERSON);
  const now = clock.now();
  const unknown = unknownAmong(asked.filters, snapshot, now);
  return unknown && unknownValue(unknown, asked, { snapshot, now, usage: USAGE });
}

type Chosen = Extract<ReturnType<typeof select>, { readonly kind: 'devices' }>;

function resultOf(asked: DevicesQuestion, { devices, close }: Chosen, snapshot: Snapshot): DevicesResult {
  const named = withPolicyNames(asked, snapshot);
  return {
    rows: devices === snapshot.devices ? idsOfAll(snapshot) : idsOf(devices),
    said: {
      kind: 'devices',
      title: question(named),
      ...(named.words.length === 0 ? {} : { byWords: true as const }),
      ...publicTitle(named, devices),
      totals: devices === snapshot.devices ? totalsOfAll(snapshot) : countDevices(devices),
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
  asked: DevicesQuestion,
  { whole: { rows, said, asOf }, marks }: Found,
  page: number,
  size: number,
  snapshot: Snapshot,
): View {
  const at = placeOf(rows, page, size);
  const shown = rows.slice(at.page * size, (at.page + 1) * size);
  const line = (id: DeviceId): DevicesRow => {
    const device = snapshot.device(id);
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

/** By hand: there may be a hundred thousand. */
function idsOf(devices: readonly IndexedDevice[]): Float64Array {
  const ids = new Float64Array(devices.length);
  for (let at = 0; at < ids.length; at += 1) ids[at] = devices[at]?.id ?? 0;
  return ids;
}

const idsOfAll = remembered(({ devices }) => idsOf(devices));

const totalsOfAll = remembered(({ devices }) => countDevices(devices));
