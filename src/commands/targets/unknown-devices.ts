/** A value of a filter that nothing in the fleet has: named back, with the same question for each that comes near. */

import type { Snapshot } from '../../inventory/inventory.ts';
import { nearestNames } from '../../inventory/nearest-names.ts';
import type { Instant } from '../../lib/clock.ts';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import type { Problem, UsageFault } from '../../views/model.ts';
import type { Offer } from '../../views/models/problem-model.ts';
import type { TypedInput } from '../core/define-command.ts';
import { SAVED_KEY } from '../parser/saved-targets.ts';
import type { LineWords } from '../parser/tokenizer.ts';
import { usageFault, usageProblem } from '../parser/usage-errors.ts';
import { type DeviceFilter, filterText, isDeviceKey, parseDeviceFilters } from './device-filters.ts';
import type { UnknownValue } from './device-matchers.ts';
import { type DeviceListQuery, deviceQueryText } from './device-query.ts';
import { type DeviceRef, parseDevice } from './resolve-device.ts';
import { unknownFilterValue } from './select-devices.ts';

type SuggestionContext = {
  readonly snapshot: Snapshot;
  readonly now: Instant;
  /** The command that takes the filters. */
  readonly head: { readonly name: string; readonly usage: string };
  /** The same with other filters. */
  readonly offer: (query: DeviceListQuery) => Offer;
};

/** Runs the list of `devices` with this question. */
export function deviceListOffer(input: DeviceListQuery): Offer {
  const choice = { command: 'devices', input };
  return { kind: 'line', does: 'run', line: `${ROOT_COMMAND} devices ${deviceQueryText(input)}`, choice };
}

/** What is wrong; each offer is the whole question, of which nothing else is wrong. */
export function unknownValueProblem(
  unknown: UnknownValue,
  query: DeviceListQuery,
  { snapshot, now, head, offer }: SuggestionContext,
): Problem {
  const { kind, key, value, nearest: known } = unknown;
  const isIt = (one: DeviceFilter) => one.key === key && one.value === value;
  const right = correctFilters(query, snapshot, now);
  // Where nothing is near all are named, which are no guesses.
  const offers = nearestNames(value, known).flatMap((near): readonly Offer[] => {
    if (right === null) return [];
    const filters = right.map((one, at) => (isIt(query.filters[at] ?? one) ? { ...one, value: near } : one));
    const input = { ...query, filters };
    if (unknownFilterValue(input.filters, snapshot, now) !== null) return [];
    return [offer(input)];
  });
  const offered = offers.length === 0 ? {} : { offers };
  switch (kind) {
    case 'group':
      return { kind: 'no-such-group', query: value, nearest: known, ...offered };
    case 'policy':
      return { kind: 'no-such-policy', query: value, nearest: known, ...offered };
    case 'package':
      return { kind: 'missing-nowhere', query: value, devices: unknown.devices, nearest: known, ...offered };
    case 'word':
      return { ...usageProblem(head, unknownValueFault(key, value, known)), ...offered };
  }
}

function unknownValueFault(key: DeviceFilter['key'], value: string, known: readonly string[]): UsageFault {
  const word = filterText(key, value);
  if (known.length > 0)
    return { kind: 'unknown-word', word, nearest: known.map((name) => filterText(key, name)) };
  return { kind: 'bad-value', word, expected: HELD_BY_DEVICES.get(key) ?? 'a value that a device has' };
}

/** What stands in place of a list of values that would be too long, or empty. */
const HELD_BY_DEVICES: ReadonlyMap<string, string> = new Map([
  ['os', 'an operating system that a device has'],
  ['tag', 'a tag that a device has'],
  ['version', 'the start of an agent or OS version that a device has'],
]);

/** Nobody mistypes more of one line, and each is compared with all that there is. */
const MAX_CORRECTIONS = 5;

/** The filters with the nearest for every value that is not known; null where one has none, or where they are many. */
function correctFilters(
  { filters }: DeviceListQuery,
  snapshot: Snapshot,
  now: Instant,
): readonly DeviceFilter[] | null {
  const right: DeviceFilter[] = [];
  let left = MAX_CORRECTIONS;
  for (const filter of filters) {
    const unknown = unknownFilterValue([filter], snapshot, now);
    const near = unknown === null ? filter.value : nearestNames(unknown.value, unknown.nearest)[0];
    if (unknown !== null) left -= 1;
    if (near === undefined || left < 0) return null;
    right.push({ ...filter, value: near });
  }
  return right;
}

/** Filters that find devices, and their list, or what is wrong with them; null where there are none. `own`: keys that are the command's own. */
function manyDevicesFault({ filters }: LineWords, own: readonly string[] = []): UsageFault | null {
  const finding = filters.filter(({ key }) => !own.includes(key) && (isDeviceKey(key) || key === SAVED_KEY));
  if (finding.length === 0) return null;
  const parts = finding.map(({ text, or }, at) => (or === true && at > 0 ? `or ${text}` : text));
  const joined = finding.map(({ or, ...part }, at) => (or === true && at > 0 ? { ...part, or } : part));
  const read = parseDeviceFilters(joined);
  // What is saved under a name is not known here.
  if (read.kind === 'fault' && !finding.some(({ key }) => key === SAVED_KEY)) return read.fault;
  const choice =
    read.kind === 'fault' ? null : { command: 'devices', input: { words: [], filters: read.filters } };
  return { kind: 'one-device', filters: parts.join(' '), choice };
}

/** The one device that a command without filters of its own changes, and why. */
export function parseSingleDevice(
  words: LineWords,
): TypedInput<{ device: DeviceRef; reason: string | null }> {
  const many = manyDevicesFault(words);
  return many === null ? parseDevice(words, { reason: true }) : usageFault(many);
}
