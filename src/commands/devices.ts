/** `devices`: lists devices by words and filters, one page at a time. */

import { z } from 'zod';
import { countDevices } from '../inventory/device-counts.ts';
import { lastSeenAtOf } from '../inventory/device-index/indexed-device.ts';
import {
  groupNameIn,
  type IndexedDevice,
  memoizePerSnapshot,
  type Snapshot,
} from '../inventory/inventory.ts';
import { matchedBeside } from '../inventory/search/search-text.ts';
import { MAX_SEARCH_WORDS } from '../inventory/search/text-search.ts';
import type { Instant } from '../lib/clock.ts';
import { type DeviceId, deviceId } from '../lib/ids.ts';
import { ROOT_COMMAND } from '../lib/slash-commands.ts';
import type { DevicesView } from '../views/device/device-list.ts';
import type { FieldValues } from '../views/models/form-model.ts';
import type { DevicesRow, PatchChoice } from '../views/models/list-model.ts';
import type { Problem, View } from '../views/views.ts';
import type { FormValues, OpenedForm, ReadPorts, TypedInput } from './core/command.ts';
import { defineReadCommand } from './core/define-command.ts';
import { fieldError, idValue, textField, textValue, usageFaultText } from './core/field-values.ts';
import { personalDataProblem } from './core/reader-rights.ts';
import { DEVICE_FIELD, deviceField } from './forms/subject-forms.ts';
import {
  cacheResult,
  type FoundList,
  findCachedResult,
  listChanges,
  listState,
  pagePosition,
  refreshableInput,
  repeatLine,
} from './lists/paging.ts';
import { defineResultList } from './lists/result-cache.ts';
import { isBareCve, packageMatcher } from './parser/missing-target.ts';
import { type LineWords, MAX_LINE_LENGTH, tokenizeTyped } from './parser/tokenizer.ts';
import { problemView, unexpectedWord } from './parser/usage-errors.ts';
import { patchChoice } from './software/package-filters.ts';
import {
  alternatives,
  CONDITION_NAMES,
  commasAsOr,
  DEVICE_SORTS,
  type DeviceListQuery,
  deviceListQuerySchema,
  deviceQueryText,
  isOr,
  joinedByOr,
  PERSONAL_KEYS,
  parseDeviceFilters,
  publicTitle,
  withPolicyNames,
} from './targets/device-query.ts';
import {
  deviceListOffer,
  type FoundDevices,
  findDevices,
  unknownValueProblem,
} from './targets/find-devices.ts';
import { PERSON_PRIORITY } from './targets/resolve-device.ts';
import { severalNames } from './targets/resolve-targets.ts';
import { soughtBy, unknownFilterValue } from './targets/select-devices.ts';

const input = refreshableInput.extend(deviceListQuerySchema.shape);
type Input = z.infer<typeof input>;

/** Device IDs that count as one row. */
export const IDS_PER_ROW = 50;
/** Devices are kept by their ids: there may be a hundred thousand. Their facts are those of now. */
export type DevicesResult = {
  readonly rows: Float64Array;
  readonly summary: Omit<DevicesView, 'rows' | 'paging'>;
  readonly patch: PatchChoice;
  readonly asOf: Instant;
};
export const devicePages = defineResultList<DevicesResult>(10, ({ rows }) => rows.length / IDS_PER_ROW);
const USAGE = [
  'devices [words] [group:NAME] [os:NAME] [tag:NAME] [ip:ADDRESS|NETWORK] [user:NAME] [serial:TEXT]',
  '[policy:NAME|#ID] [fails:NAME|#ID] [version:AGENT|SYSTEM] [powershell:VERSION] [missing:PACKAGE|CVE-…|SEVERITY] [device:NAME|#ID] [in:NAME]',
  `[is:${CONDITION_NAMES.join('|')}] [sort:${DEVICE_SORTS.join('|')}]`,
].join(' ');

const LIST = { head: { name: 'devices', usage: USAGE }, offer: deviceListOffer };

export const devicesCommand = defineReadCommand<Input>({
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
  targets: 'words',
  form: { open: openFindForm, read: readFindForm },
  parse,
  run: listDevices,
  findUnknownName,
});

const SINGLE_OR = {
  kind: 'bad-value',
  word: 'or',
  expected: 'a word or a filter on both sides',
} as const;

/** A CVE matches no device by name, which must not look as if no device were affected. */
const NOT_A_CVE = `device words; use “missing:CVE-…” or “${ROOT_COMMAND} missing CVE-…” to list the devices missing a patch for it`;

/** Maximum number of words: each may be searched in the whole fleet, which blocks other answers. */
const TOO_MANY = { kind: 'bad-value', expected: `at most ${MAX_SEARCH_WORDS} words` } as const;

function parse(words: LineWords): TypedInput<Input> {
  const searched = commasAsOr(words.free);
  if (words.flags.some(isOr) || alternatives(searched) === null) {
    return { kind: 'fault', fault: SINGLE_OR };
  }
  const tooMany = searched.filter((word) => !isOr(word))[MAX_SEARCH_WORDS];
  if (tooMany !== undefined) return { kind: 'fault', fault: { ...TOO_MANY, word: tooMany } };
  const cve = words.free.find(isBareCve);
  if (cve !== undefined)
    return { kind: 'fault', fault: { kind: 'bad-value', word: cve, expected: NOT_A_CVE } };
  const extra = unexpectedWord(words, { filters: true, or: true });
  if (extra !== null) return { kind: 'fault', fault: extra };
  const read = parseDeviceFilters(words.filters);
  if (read.kind === 'fault') return read;
  const { filters, sort } = read.input;
  return { kind: 'input', input: { words: [...searched], filters, ...(sort === null ? {} : { sort }) } };
}

async function listDevices(
  { result, refresh, ...typed }: Input,
  page: number,
  ports: ReadPorts,
): Promise<View> {
  const { inventory, clock } = ports;
  const query = await withNamesAsOr(typed, ports);
  const personal = query.filters.find(({ key }) => PERSONAL_KEYS.has(key));
  const refused = personalDataProblem(ports, personal && `${personal.key}:`);
  if (refused !== null) return problemView(refused);
  const snapshot = await inventory.snapshot({ ...PERSON_PRIORITY, refresh: refresh === true });
  const before = findCachedResult(devicePages, { result, refresh }, ports);
  if (before !== null) return withChanges(query, before, devicesPage(query, before, page, snapshot), ports);
  const selected = await findDevices(snapshot, query, ports, { refresh: refresh === true });
  if (selected.kind === 'unknown') {
    const against = { snapshot, now: clock.now(), ...LIST };
    return problemView(unknownValueProblem(selected.unknown, query, against));
  }
  const content = resultContent(query, selected, snapshot);
  const found = cacheResult(devicePages, content, { result, refresh }, ports);
  return withChanges(query, found, devicesPage(query, found, page, snapshot), ports);
}

/** A pasted column of names: no device has all of them, so each is listed. */
async function withNamesAsOr(query: DeviceListQuery, ports: ReadPorts): Promise<DeviceListQuery> {
  if (query.words.length < 2 || query.words.some(isOr)) return query;
  const names = await severalNames(query.words.join(' '), ports);
  return names === null ? query : { ...query, words: joinedByOr(names) };
}

/** With the changes of all devices of the list. Devices that only come near what was asked for are nobody's choice. */
async function withChanges(
  query: DeviceListQuery,
  { whole: { rows, summary, patch } }: FoundList<DevicesResult>,
  view: DevicesView,
  ports: ReadPorts,
): Promise<View> {
  const { close, partial, packages, totals } = summary;
  if (close === true || (partial ?? null) !== null) return view;
  const isPart = packages !== undefined && packages.looked < packages.candidates;
  const hasPatches = totals === undefined || totals.pending + (totals.unknown?.pending ?? 0) > 0;
  const listed = { ids: rows, query, patch: hasPatches ? patch : null, isPart };
  return { ...view, ...(await listChanges(listed, ports)) };
}

async function findUnknownName(query: Input, { inventory, clock }: ReadPorts): Promise<Problem | null> {
  const snapshot = await inventory.snapshot(PERSON_PRIORITY);
  const now = clock.now();
  const unknown = unknownFilterValue(query.filters, snapshot, now);
  return unknown && unknownValueProblem(unknown, query, { snapshot, now, ...LIST });
}

function resultContent(
  query: DeviceListQuery,
  { devices, unstated, isCloseMatch, packages, missing }: Extract<FoundDevices, { readonly kind: 'devices' }>,
  snapshot: Snapshot,
): DevicesResult {
  const named = withPolicyNames(query, snapshot);
  return {
    rows: devices === snapshot.devices ? idsOfAll(snapshot) : idsOf(devices),
    summary: {
      kind: 'devices',
      title: deviceQueryText(named),
      ...(named.words.length === 0 ? {} : { byWords: true as const }),
      ...publicTitle(named, devices),
      totals: devices === snapshot.devices ? totalsOfAll(snapshot) : countDevices(devices),
      ...listState(snapshot),
      close: isCloseMatch,
      ...(unstated.length === 0 ? {} : { unstated: unstated.length }),
      ...(packages === null ? {} : { packages }),
    },
    patch: missingChoice(query, devices, missing),
    // As old as the oldest reading that it rests on.
    asOf:
      packages !== null && packages.oldest !== null && packages.oldest < snapshot.asOf
        ? packages.oldest
        : snapshot.asOf,
  };
}

function missingChoice(
  { filters }: DeviceListQuery,
  devices: readonly IndexedDevice[],
  missing: Extract<FoundDevices, { readonly kind: 'devices' }>['missing'],
): PatchChoice {
  const sought = soughtBy(filters);
  const matchers = sought.map(packageMatcher);
  return patchChoice(
    sought,
    sought.length === 0
      ? []
      : devices.map(({ id }) =>
          (missing?.get(id) ?? []).filter((item) => matchers.some((fits) => fits(item))),
        ),
  );
}

function devicesPage(
  query: DeviceListQuery,
  { whole: { rows, summary, asOf }, marks, size }: FoundList<DevicesResult>,
  page: number,
  snapshot: Snapshot,
): DevicesView {
  const at = pagePosition(rows, page, size);
  const pageRows = rows.slice(at.page * size, (at.page + 1) * size);
  const personal = query.filters.filter(({ key, negated }) => PERSONAL_KEYS.has(key) && !negated);
  const words = query.words.filter((word) => !isOr(word));
  const matched = matchedBeside([...words, ...personal.map(({ value }) => value)]);
  const line = (id: DeviceId): DevicesRow => {
    const device = snapshot.device(id);
    if (device === null) return { device, id };
    const groupName = groupNameIn(snapshot, device.groupId);
    return { device, groupName, seenAt: lastSeenAtOf(device), ...matched(device) };
  };
  return {
    ...summary,
    rows: Array.from(pageRows, (id) => line(deviceId(id))),
    paging: {
      command: 'devices',
      input: query,
      ...repeatLine('devices', summary.title),
      ...at,
      ...marks,
      total: rows.length,
      asOf,
    },
  };
}

/** A loop, because there may be 100,000 devices. */
function idsOf(devices: readonly IndexedDevice[]): Float64Array {
  const ids = new Float64Array(devices.length);
  for (let at = 0; at < ids.length; at += 1) ids[at] = devices[at]?.id ?? 0;
  return ids;
}

const idsOfAll = memoizePerSnapshot(({ devices }) => idsOf(devices));

const totalsOfAll = memoizePerSnapshot(({ devices }) => countDevices(devices));

const WORDS_FIELD = 'words';

/** `note`: shown above the fields. `typed`: the previous search. */
const prefillSchema = z
  .object({ note: z.string().max(MAX_LINE_LENGTH), typed: z.string().max(MAX_LINE_LENGTH) })
  .partial()
  .catch({});

async function openFindForm(from: unknown): Promise<OpenedForm> {
  const { note, typed = '' } = prefillSchema.parse(from);
  const noteFields = note === undefined ? [] : [{ kind: 'words', text: note } as const];
  const device = { ...deviceField(null), optional: true } as const;
  const words = textField(WORDS_FIELD, 'Or search', typed, MAX_LINE_LENGTH, {
    hint: 'Words and filters, for example: web or db, os:windows is:offline.',
    optional: true,
  });
  const form = { command: 'devices', title: 'Find a device', submit: 'Find', context: null };
  return { kind: 'form', form: { ...form, fields: [...noteFields, device, words] } };
}

function readFindForm(values: FieldValues): FormValues {
  const device = idValue(values, DEVICE_FIELD);
  const typed = textValue(values, WORDS_FIELD);
  if (device !== null && typed !== '')
    return fieldError(WORDS_FIELD, 'Use either the device above or this search, not both.');
  if (device !== null) return { kind: 'input', input: { words: [`#${device}`], filters: [] } };
  if (typed === '') return fieldError(DEVICE_FIELD, 'Choose a device, or search below.');
  const split = tokenizeTyped(typed);
  const parsed = split.kind === 'fault' ? split : parse(split.words);
  if (parsed.kind === 'fault') return fieldError(WORDS_FIELD, usageFaultText(parsed.fault));
  return { kind: 'input', input: { ...parsed.input, typed } };
}

/** The only device of a list, whose card is more useful; null for all other answers. */
export function onlyMatch(view: View): DeviceId | null {
  if (view.kind === 'shareable') return onlyMatch(view.view);
  if (view.kind !== 'devices' || view.paging.total !== 1) return null;
  return view.rows[0]?.device?.id ?? null;
}
