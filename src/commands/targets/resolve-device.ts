/** From what somebody typed, or what a button carries, to one device: shared by every command that names one. */
import { z } from 'zod';
import { FleetFailure, type ReadOptions } from '../../fleet/fleet.ts';
import { displayName } from '../../fleet/model/resources.ts';
import { lastSeenAtOf } from '../../inventory/device-index/indexed-device.ts';
import type { IndexedDevice } from '../../inventory/inventory.ts';
import { addressesOf, serialNumberIn, userNamed } from '../../inventory/search/search-text.ts';
import { type DeviceId, deviceId } from '../../lib/ids.ts';
import type { Problem, View } from '../../views/views.ts';
import type { ReadPorts, TypedInput } from '../core/command.ts';
import { type LineWords, MAX_LINE_LENGTH } from '../parser/tokenizer.ts';
import { type AcceptedParts, problemView, unexpectedWord } from '../parser/usage-errors.ts';
import { MAX_NAME_OFFERS, type NameOrId, nameOrId } from './name-lookup.ts';

export const PERSON_PRIORITY: ReadOptions = { lane: 'person' };

export const deviceRef = nameOrId;
export type DeviceRef = NameOrId;

/** The reason: what followed `because`, or the reason of a button. */
export const reasonSchema = z.string().max(MAX_LINE_LENGTH).nullable();

export type RetryWithDevice = (device: DeviceRef) => { readonly command: string; readonly input: unknown };

type WithDevice<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'view'; readonly view: View }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** With more names the person wants a list, so none is offered. */
const MAX_NAMED = 5;
/** Maximum rows of a picker; the rest is counted. */
const MAX_PICKER_ROWS = 10;

export function parseDevice(
  words: LineWords,
  accepted: AcceptedParts = {},
): TypedInput<{ device: DeviceRef; reason: string | null }> {
  const fault = unexpectedWord(words, accepted);
  const device = words.free.join(' ');
  const prefill = { ...(device === '' ? {} : { device }), ...reasonPrefill(words) };
  if (fault !== null)
    return { kind: 'fault', fault: fault.kind === 'missing' ? { ...fault, prefill } : fault };
  if (device === '') return { kind: 'fault', fault: { kind: 'missing', what: 'Which device?', prefill } };
  return { kind: 'input', input: { device, reason: words.reason } };
}

export function reasonPrefill({ reason }: Pick<LineWords, 'reason'>) {
  return reason === null || reason === '' ? {} : { reason };
}

/** Never picks among several. A device that vanishes while the job reads it is a problem in words. */
export async function withDevice<T>(
  { device, again }: { readonly device: DeviceRef; readonly again: RetryWithDevice },
  ports: ReadPorts,
  job: (id: DeviceId) => Promise<T>,
): Promise<WithDevice<T>> {
  const found = typeof device === 'number' ? deviceById(device) : await lookUpDevice(device, again, ports);
  if (found.kind !== 'one') return found;
  try {
    return { kind: 'done', value: await job(found.id) };
  } catch (error) {
    if (!(error instanceof FleetFailure) || error.error.kind !== 'missing') throw error;
    return { kind: 'problem', problem: deviceGoneProblem(found.query, typeof device === 'string') };
  }
}

/** The same for a command that answers with a view. */
export async function viewForDevice(
  order: { readonly device: DeviceRef; readonly again: RetryWithDevice },
  ports: ReadPorts,
  job: (id: DeviceId) => Promise<View>,
): Promise<View> {
  const result = await withDevice(order, ports, job);
  switch (result.kind) {
    case 'done':
      return result.value;
    case 'view':
      return result.view;
    case 'problem':
      return problemView(result.problem);
  }
}

type DeviceLookup =
  | { readonly kind: 'one'; readonly id: DeviceId; readonly query: string }
  | Exclude<WithDevice<never>, { kind: 'done' }>;

/** A typed ID may be a typo, so it is reported as unknown. IDs from buttons and lists existed a moment ago. */
function deviceGoneProblem(query: string, typed: boolean): Problem {
  const slip = typed && (ID.test(query) || BARE_ID.test(query));
  return slip ? { kind: 'no-such-device', query, nearest: [] } : { kind: 'device-gone', query };
}

/** `#1042` is an ID: it needs no search, and finds a device that was just added. */
const ID = /^#[1-9]\d{0,14}$/;
/** `1042` is an ID only if no device has this name. */
const BARE_ID = /^[1-9]\d{0,14}$/;

function deviceById(id: number): Extract<DeviceLookup, { kind: 'one' }> {
  return { kind: 'one', id: deviceId(id), query: `#${id}` };
}

/** The one device of this name; never picks among several. */
export async function lookUpDevice(
  query: string,
  again: RetryWithDevice,
  ports: ReadPorts,
): Promise<DeviceLookup> {
  if (ID.test(query)) return deviceById(Number(query.slice(1)));
  const found = await ports.inventory.find(query, PERSON_PRIORITY);
  switch (found.kind) {
    case 'one':
      return { kind: 'one', id: found.device.id, query: displayName(found.device) };
    case 'several':
      return { kind: 'view', view: await devicePicker(query, found.devices, again, ports) };
    case 'none':
      if (BARE_ID.test(query)) return { ...deviceById(Number(query)), query };
      return { kind: 'problem', problem: await noDeviceFound(query, found.nearest, again, ports) };
  }
}

async function noDeviceFound(
  query: string,
  nearest: readonly string[],
  again: RetryWithDevice,
  ports: ReadPorts,
): Promise<Problem> {
  const several = await devicesEachNamed(query, ports);
  if (several.length > 1) {
    return { kind: 'several-devices', query, offers: await deviceOffers(several, again, ports) };
  }
  const offers = await deviceOffers(await devicesByName(nearest, ports), again, ports);
  return { kind: 'no-such-device', query, nearest, ...(offers.length === 0 ? {} : { offers }) };
}

/** The devices, if each of a few words names exactly one. */
async function devicesEachNamed(
  query: string,
  { inventory }: Pick<ReadPorts, 'inventory'>,
): Promise<readonly IndexedDevice[]> {
  const words = query.split(/[\s,]+/).filter((word) => word !== '' && word !== 'and');
  if (words.length > MAX_NAMED) return [];
  const found = new Map<DeviceId, IndexedDevice>();
  for (const word of words) {
    const named = await inventory.find(word, { ...PERSON_PRIORITY, namesOnly: true });
    if (named.kind !== 'one') return [];
    found.set(named.device.id, named.device);
  }
  return [...found.values()];
}

export async function devicesByName(
  names: readonly string[],
  { inventory }: Pick<ReadPorts, 'inventory'>,
): Promise<readonly IndexedDevice[]> {
  const found = new Map<DeviceId, IndexedDevice>();
  for (const name of names) {
    const named = await inventory.find(name, PERSON_PRIORITY);
    const devices = named.kind === 'several' ? named.devices : named.kind === 'one' ? [named.device] : [];
    for (const device of devices) found.set(device.id, device);
  }
  return [...found.values()].slice(0, MAX_NAME_OFFERS);
}

export async function deviceOffers(
  devices: readonly IndexedDevice[],
  again: RetryWithDevice,
  ports: Pick<ReadPorts, 'inventory'>,
) {
  const lines = await pickLines(devices, ports);
  return lines.map((line) => ({ kind: 'device', line, choice: again(line.device.id) }) as const);
}

export async function devicePicker(
  query: string | null,
  devices: readonly IndexedDevice[],
  again: RetryWithDevice,
  { inventory }: ReadPorts,
): Promise<View> {
  const listed = devices.slice(0, MAX_PICKER_ROWS);
  return {
    kind: 'picker',
    query,
    rows: await pickLines(listed, { inventory }, query ?? ''),
    total: devices.length,
    choices: listed.map((device) => again(device.id)),
  };
}

/** Each device with the facts that tell it from others, and by which `query` found it. */
function pickLines(
  devices: readonly IndexedDevice[],
  { inventory }: Pick<ReadPorts, 'inventory'>,
  query = '',
) {
  return Promise.all(
    devices.map(async (device) => ({
      device,
      seenAt: lastSeenAtOf(device),
      addresses: addressesOf(device, query),
      userName: userNamed(query, device),
      serialNumber: serialNumberIn(device),
      groupName: await inventory.groupName(device.groupId, PERSON_PRIORITY),
    })),
  );
}
