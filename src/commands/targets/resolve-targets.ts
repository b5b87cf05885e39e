/**
 * From what somebody typed or chose to the devices that are meant: frozen here, so that what matches later never runs. Or what
 * is offered in place of them.
 */
import type { IndexedDevice, Snapshot } from '../../inventory/inventory.ts';
import { HOUR, type Instant } from '../../lib/clock.ts';
import { type DeviceId, deviceId, unpackIds } from '../../lib/ids.ts';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import { fold } from '../../lib/text.ts';
import type { Offer, PackageReading } from '../../views/models/problem-model.ts';
import type { Problem, View } from '../../views/views.ts';
import type { ReadPorts } from '../core/command.ts';
import { exclusionIn } from '../parser/exclusions.ts';
import { type RolloutOptions, rolloutOptionsText } from '../parser/rollout-options.ts';
import { quoteWord } from '../parser/tokenizer.ts';
import { type DeviceFilter, type DeviceListQuery, deviceQueryText } from './device-query.ts';
import { findDevices, unknownValueProblem } from './find-devices.ts';
import { type DeviceRef, lookUpDevice, PERSON_PRIORITY, type RetryWithDevice } from './resolve-device.ts';
import { unknownFilterValue } from './select-devices.ts';
import { joinNames, namesWithWords, targetInput } from './target-line.ts';

export type DeviceTarget = {
  readonly device?: DeviceRef;
  readonly filters?: readonly DeviceFilter[];
  /** Packed. */
  readonly ids?: string;
};

type ResolvedTargets =
  /** A single one, by name or id: nothing was read. */
  | { readonly kind: 'one'; readonly device: DeviceRef; readonly unstated?: readonly IndexedDevice[] }
  /** At least two, each once. `named`: one by one, so that none may be left out unsaid. */
  | {
      readonly kind: 'several';
      readonly ids: readonly DeviceId[];
      readonly named: boolean;
      readonly snapshot: Snapshot;
      /** How the packages were read that selected them; absent: none did. */
      readonly packages?: PackageReading;
      /** Left out, because whether they fit is unknown. */
      readonly unstated?: readonly IndexedDevice[];
    }
  | { readonly kind: 'view'; readonly view: View }
  | { readonly kind: 'problem'; readonly problem: Problem };

export async function resolveTargets(
  { device, filters, ids }: DeviceTarget,
  command: TargetCommand,
  ports: ReadPorts,
): Promise<ResolvedTargets> {
  if (ids !== undefined) return seenDevices(ids, ports);
  if (filters !== undefined && filters.length > 0) return filteredDevices(filters, command, ports);
  if (device === undefined) throw new Error('a change of no device');
  const names = await severalNames(device, ports);
  if (names !== null) return namedDevices(names, command, ports);
  const problem =
    (await partlyNamedProblem(device, command, ports)) ?? (await groupNamedProblem(device, command, ports));
  return problem === null ? { kind: 'one', device } : { kind: 'problem', problem };
}

async function seenDevices(packed: string, ports: ReadPorts): Promise<ResolvedTargets> {
  const ids = (unpackIds(packed) ?? []).map((id) => deviceId(id));
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) return { kind: 'one', device: only };
  const snapshot = await ports.inventory.snapshot(PERSON_PRIORITY);
  return { kind: 'several', ids, named: false, snapshot };
}

export function retryFor({ name, input }: TargetCommand): RetryWithDevice {
  return (device) => ({ command: name, input: { ...input, device } });
}

/** The first name that fits several devices is asked about, and keeps the others; those that fit none are left out. */
async function namedDevices(
  names: readonly string[],
  command: TargetCommand,
  ports: ReadPorts,
): Promise<ResolvedTargets> {
  const again = retryFor(command);
  const ids = new Set<DeviceId>();
  const unknown: string[] = [];
  for (const [at, name] of names.entries()) {
    const retry: RetryWithDevice = (found) =>
      again(joinNames(names.with(at, typeof found === 'number' ? `#${found}` : found)));
    const found = await lookUpDevice(name, retry, ports);
    if (found.kind === 'one') ids.add(found.id);
    else if (found.kind === 'problem' && found.problem.kind === 'no-such-device') unknown.push(name);
    else return found;
  }
  const problem = await unknownNamesProblem(names, unknown, command, ports);
  if (problem !== null) return { kind: 'problem', problem };
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) return { kind: 'one', device: only };
  const snapshot = await ports.inventory.snapshot(PERSON_PRIORITY);
  return { kind: 'several', ids: [...ids], named: true, snapshot };
}

async function filteredDevices(
  filters: readonly DeviceFilter[],
  command: TargetCommand,
  ports: ReadPorts,
): Promise<ResolvedTargets> {
  const { inventory, clock } = ports;
  const snapshot = await inventory.snapshot(PERSON_PRIORITY);
  const { partial, devices, doubts } = snapshot;
  // Of a part of the fleet nobody can say that these are all of the devices.
  if (partial !== null)
    return { kind: 'problem', problem: { kind: 'fleet-unread', read: devices.length, of: partial.of } };
  const [doubt] = doubts;
  if (doubt !== undefined) return { kind: 'problem', problem: { kind: 'list-doubted', doubt } };
  const query: DeviceListQuery = { words: [], filters: [...filters] };
  const selected = await findDevices(snapshot, query, ports);
  if (selected.kind === 'unknown') {
    const offer = (right: DeviceListQuery) => targetOffer({ filters: right.filters }, command, ports);
    const context = { snapshot, now: clock.now(), head: command, offer };
    return { kind: 'problem', problem: unknownValueProblem(selected.unknown, query, context) };
  }
  const unread = selected.packages === null ? null : unreadProblem(selected.packages, clock.now());
  if (unread !== null) return { kind: 'problem', problem: unread };
  const { unstated, packages } = selected;
  const [first, ...others] = selected.devices;
  const none = {
    kind: 'no-devices-match',
    filters: deviceQueryText(query),
    unknown: unstated.length,
  } as const;
  if (first === undefined) return { kind: 'problem', problem: none };
  if (others.length === 0) return { kind: 'one', device: first.id, unstated };
  const several = { ids: selected.devices.map(({ id }) => id), named: false, snapshot, unstated };
  return { kind: 'several', ...several, ...(packages === null ? {} : { packages }) };
}

/** What devices miss is read again after an hour. Where that fails, older data selects none to be changed. */
const MAX_PACKAGE_AGE_MS = 2 * HOUR;

/** Of a device whose packages are not known nobody can say that it misses nothing. */
function unreadProblem(
  { candidates, looked, oldest, isGoing }: PackageReading,
  now: Instant,
): Problem | null {
  const isOld = oldest !== null && now - oldest > MAX_PACKAGE_AGE_MS;
  if (looked === candidates && !isOld) return null;
  return { kind: 'packages-unread', known: looked, of: candidates, oldest: isOld ? oldest : null, isGoing };
}

type NamePorts = Pick<ReadPorts, 'inventory'>;

/** Null where one device is meant. Spaces part names only where each of them is a known device. */
export async function severalNames(typed: DeviceRef, ports: NamePorts): Promise<readonly string[] | null> {
  if (typeof typed !== 'string' || !/[ ,]/.test(typed) || (await isDevice(typed, ports))) return null;
  const names: string[] = [];
  for (const { name, words: parts } of namesWithWords(typed)) {
    // A line of a pasted list may hold several.
    const words = parts.length > 1 ? parts : name.split(' ');
    const isList = words.length > 1 && (await unknownIn(words, ports)).length === 0;
    names.push(...(isList && !(await isDevice(name, ports)) ? words : [name]));
  }
  return names.length > (typed.includes(',') ? 0 : 1) ? [...new Set(names)] : null;
}

/** Which of the words after a device are names of packages, and which of the others are no devices. */
export async function namesAfter(device: DeviceRef | undefined, words: readonly string[], ports: NamePorts) {
  if (typeof device !== 'string' || /[ ,]/.test(device) || !(await isDevice(device, ports))) return null;
  const packages = words.filter((word) =>
    ports.inventory.suggest('package', word, 1).some(({ label }) => fold(label) === fold(word)),
  );
  const names = words.filter((word) => !packages.includes(word));
  const unknown = await unknownIn(names, ports);
  return unknown.length === names.length ? null : { names: [device, ...names], packages, unknown };
}

/** Whether this is the whole name or the id of a device, or of several. */
async function isDevice(name: string, { inventory }: NamePorts): Promise<boolean> {
  const found = await inventory.find(name, { ...PERSON_PRIORITY, exact: true, namesOnly: true });
  return found.kind !== 'none';
}

async function unknownIn(words: readonly string[], ports: NamePorts): Promise<readonly string[]> {
  const unknown: string[] = [];
  for (const word of words) if (!(await isDevice(word, ports))) unknown.push(word);
  return unknown;
}

const isAnd = (word: string): boolean => word.toLowerCase() === 'and';

/** More words that are no devices are no slips, and each is compared with all names. */
const MAX_CORRECTED = 5;

/** Where some of the words are devices and others are not: what may have been meant. Null where that is not so. */
async function partlyNamedProblem(
  typed: DeviceRef,
  command: TargetCommand,
  ports: ReadPorts,
): Promise<Problem | null> {
  if (typeof typed !== 'string' || !typed.includes(' ')) return null;
  const words = namesWithWords(typed).flatMap((one) => one.words);
  const unknown = await unknownIn(words, ports);
  const whole = await ports.inventory.find(typed, { ...PERSON_PRIORITY, exact: true });
  return whole.kind === 'none' ? unknownNamesProblem(words, unknown, command, ports) : null;
}

/** The names without the unknown ones, or with the closest in their place; null where all or none are known. */
export async function unknownNamesProblem(
  words: readonly string[],
  unknown: readonly string[],
  command: TargetCommand,
  ports: ReadPorts,
): Promise<Problem | null> {
  const known = words.filter((word) => !unknown.includes(word));
  if (known.length === 0 || unknown.length === 0) return null;
  const slips = unknown.filter((word) => !isAnd(word));
  const right = await corrected(words, slips, ports);
  const lists = [...(right === null || slips.length === 0 ? [] : [right]), known];
  const { packages = [] } = command;
  const devices = [...new Set(lists.map(joinNames))];
  // Of `kiosks except kiosk-01`, the known names are those that are not meant.
  const isMeant = exclusionIn(words.join(' ')) === null;
  const offers = isMeant ? devices.map((device) => targetOffer({ device }, command, ports, packages)) : [];
  return { kind: 'not-all-devices', query: words.join(' '), unknown: slips, offers };
}

/** The words with the closest name for every slip; null where one has none, or they are many. */
async function corrected(
  words: readonly string[],
  slips: readonly string[],
  { inventory }: NamePorts,
): Promise<readonly string[] | null> {
  if (slips.length > MAX_CORRECTED) return null;
  const nearest = new Map<string, string>();
  for (const word of slips) {
    const found = await inventory.find(word, { ...PERSON_PRIORITY, namesOnly: true });
    const [name] = found.kind === 'none' ? found.nearest : [];
    if (name === undefined) return null;
    nearest.set(word, name);
  }
  const meant = words.filter((word) => !isAnd(word)).map((word) => nearest.get(word) ?? word);
  return [...new Set(meant)];
}

/** The filters that select the devices of a group, a tag or a system of this name. */
export async function filtersNamed(
  words: string,
  { inventory, clock }: Pick<ReadPorts, 'inventory' | 'clock'>,
): Promise<readonly DeviceFilter[]> {
  const value = words
    .replace(/^(.+) (?:in|of) (?:the )?(.+)$/i, '$2 $1')
    .replace(/^(?:(?:all|list|my|our|show|the) )+| (?:computers|devices|machines)$/gi, '')
    .trim();
  // A shorter word stands in the name of many a system, and a number is that of a device.
  if (/^.{0,2}$|^[#\d.]+$/.test(value)) return [];
  const snapshot = await inventory.snapshot(PERSON_PRIORITY);
  return (['group', 'tag', 'os'] as const)
    .map((key): DeviceFilter => ({ key, value, negated: false }))
    .filter((one) => unknownFilterValue([one], snapshot, clock.now()) === null);
}

/** Where no device but a group, a tag or a system has the name: the change of its devices. Null where none has. */
async function groupNamedProblem(
  device: DeviceRef,
  { packages = [], ...command }: TargetCommand,
  ports: ReadPorts,
): Promise<Problem | null> {
  if (typeof device !== 'string' || (await isDevice(device, ports))) return null;
  // No name of a group has more words.
  for (let count = Math.min(packages.length, 4); count >= 0; count -= 1) {
    const query = [device, ...packages.slice(0, count)].join(' ');
    const rest = packages.slice(count);
    const again = count === 0 ? command : { ...command, input: { ...command.input, packages: rest } };
    const offers = (await filtersNamed(query, ports))
      .filter(({ key }) => !command.usage.includes(`[${key}:`))
      .map((one) => targetOffer({ filters: [one] }, again, ports, rest));
    if (offers.length > 0) return { kind: 'no-such-device', query, nearest: [], offers };
  }
  return null;
}

/** The command with its input, in which other devices can take the place of those that were meant. */
export type TargetCommand = {
  readonly name: string;
  readonly usage: string;
  /** Without its devices. */
  readonly input: { readonly rollout?: RolloutOptions; readonly reason?: string | null };
  /** Packages after the device, of which the first may belong to its name. */
  readonly packages?: readonly string[];
};

/** `words`: what else of the input its line says. */
export function targetOffer(
  target: { readonly device: DeviceRef } | { readonly filters: readonly DeviceFilter[] },
  { name, input }: Pick<TargetCommand, 'name' | 'input'>,
  { onlyExplains }: Pick<ReadPorts, 'onlyExplains'>,
  words: readonly string[] = [],
): Offer {
  const typed = onlyExplains === true ? `explain ${name}` : name;
  const devices =
    'filters' in target
      ? deviceQueryText({ words: [], filters: [...target.filters] })
      : deviceText(target.device);
  const choice = { command: name, input: { ...input, ...target } };
  const { rollout = {}, reason } = input;
  const why = reason ? `because ${reason}` : '';
  const parts = [typed, devices, ...words.map(quoteWord), rolloutOptionsText(rollout), why];
  const line = [ROOT_COMMAND, ...parts.filter((part) => part !== '')].join(' ');
  return { kind: 'line', line, does: onlyExplains === true ? 'run' : 'form', choice };
}

function deviceText(device: DeviceRef): string {
  return typeof device === 'number' ? `#${device}` : device;
}

export type AskedCommand = { readonly name: string; readonly input: unknown };

export function reasonOffer({ name, input }: AskedCommand): Offer {
  const line = `${ROOT_COMMAND} ${name} ${typedText(input)} because REASON`;
  return { kind: 'line', does: 'form', line, choice: { command: name, input } };
}

/** The devices and options as they would be typed; `…` stands for what else was. */
function typedText(input: unknown): string {
  const { device, filters, rollout, ids: __, reason: _, ...own } = typedInput.parse(input);
  const names = typeof device === 'number' ? `#${device}` : device;
  // The devices of a policy’s groups are selected by a filter that nobody typed.
  const isTyped = filters !== undefined && !('policy' in own);
  const devices = isTyped ? deviceQueryText({ words: [], filters }) : names;
  const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
  const hasMore = devices === undefined || !Object.values(own).every(isEmpty);
  return [devices, hasMore ? '…' : '', rollout === undefined ? '' : rolloutOptionsText(rollout)]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
}
const typedInput = targetInput.partial().loose();
