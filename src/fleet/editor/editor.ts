/** All writes other than commands, put together. Each is sent once; a lost answer is an outcome, not an exception. */

import { SECOND } from '../../lib/clock.ts';
import type { DeviceId, GroupId, PolicyId } from '../../lib/ids.ts';
import { chunksOf } from '../../lib/lists.ts';
import {
  type AppliedChange,
  type CreatedGroup,
  type EditOutcome,
  type FleetEditor,
  FleetFailure,
  type FleetReader,
  type ReadOptions,
  type Removed,
  type TagResult,
  type WriteOptions,
} from '../fleet.ts';
import { fleetError } from '../http/errors.ts';
import type {
  DeviceChange,
  DeviceField,
  GroupChange,
  NewGroup,
  NewPolicy,
  PolicyChange,
  PolicyField,
  TagChange,
} from '../model/changes.ts';
import { isDefaultGroup } from '../model/derived-fields.ts';
import type { Device, Policy } from '../model/resources.ts';
import { isDeviceGone, isGroupGone } from '../reads/read-helpers.ts';
import { readRawDevice, readRawGroup, readRawPolicy } from '../reads/reader.ts';
import { rawObjectIn, type WithRaw } from '../reads/reads.ts';
import { groupReader } from '../schema/group.ts';
import { readSingle } from '../schema/rows.ts';
import {
  deviceFieldComparisons,
  devicePut,
  hasTagChange,
  validateDeviceChange,
  validateTagChange,
} from './device-fields.ts';
import { groupFieldComparisons, groupPut, toWireGroup, validateGroup } from './group-fields.ts';
import { policyFieldComparisons, policyPut, toWireNewPolicy, validatePolicy } from './policy-fields.ts';
import {
  compare,
  doneEdit,
  type EditContext,
  type FieldComparison,
  NOTHING_NAMED,
  PERSON_LANE,
  readBack,
  readBeforeWrite,
  readLaneOf,
  refusedUnsentEdit,
  removed,
  replace,
  type SentWrite,
  sendWrite,
  type Update,
  unconfirmedFindings,
} from './send.ts';

/** Nobody waits for the reads of a check. */
const BACKGROUND: ReadOptions = { lane: 'background' };

export function createEditor(context: EditContext): FleetEditor {
  const { reads, organizationId: o } = context;
  return {
    // Server groups (§4.1, §4.10).
    createGroup: (group, options) => createGroup(context, group, options),
    updateGroup: (id, change, options) => updateGroup(context, { id, change, options }),
    deleteGroup: (id, options) => deleteGroup(context, id, options),
    // Devices (§4.4, §4.10).
    updateDevice: (id, change, options) => updateDevice(context, { id, change, options }),
    deleteDevice: (id, options) => deleteDevice(context, id, options),
    tagDevices: (ids, change, options) => tagDevices(context, ids, change, options),
    // Policies (§4.10).
    createPolicy: (policy, options) => createPolicy(context, policy, options),
    updatePolicy: (id, change, options) => updatePolicy(context, { id, change, options }),
    // Whether a change whose answer was lost was carried out: only reads, which throw FleetFailure.
    checkDevice: async (id, change) =>
      compareToWanted(deviceFieldComparisons(change), await readRawDevice(reads, o, id, BACKGROUND)),
    checkGroup: async (id, change) =>
      compareToWanted(groupFieldComparisons(change), await readRawGroup(reads, o, id, BACKGROUND)),
    checkPolicy: async (id, change) =>
      compareToWanted(policyFieldComparisons(change), await readRawPolicy(reads, o, id, BACKGROUND)),
  };
}

/** Does not look for other changes: the state before was never read, or long ago. */
function compareToWanted<T, Field extends string>(
  wanted: readonly FieldComparison<T, Field>[],
  whole: WithRaw<T>,
): AppliedChange<T, Field> {
  return { after: whole.read, ...compare(wanted, null, whole) };
}

const CREATE_GROUP = { method: 'POST', path: '/servergroups' } as const;
const UPDATE_GROUP = { method: 'PUT', path: '/servergroups/{id}' } as const;
const DELETE_GROUP = { method: 'DELETE', path: '/servergroups/{id}' } as const;

async function createGroup(
  context: EditContext,
  group: NewGroup,
  options: WriteOptions | undefined,
): Promise<EditOutcome<CreatedGroup>> {
  const fault = validateGroup(group, context.dialect);
  if (fault !== null) return refusedUnsentEdit(CREATE_GROUP, fault);
  const query = { o: context.organizationId };
  const sent = await sendWrite(context.calls, { ...CREATE_GROUP, query, body: toWireGroup(group) }, options);
  if (sent.kind !== 'answered') return sent;
  const echoed = readSingle(sent.json, groupReader(context.organizationId));
  if (echoed.kind !== 'one') {
    // The group was created, but which one is unknown: a list could show another of the same name.
    const detail = echoed.kind === 'deleted' ? 'marked as deleted' : echoed.detail;
    return { kind: 'unknown', error: fleetError(CREATE_GROUP, 201, { kind: 'unreadable' }, detail) };
  }
  const whole = { read: echoed.row, raw: rawObjectIn(sent.json) };
  const { notApplied, unconfirmed } = compare(groupFieldComparisons(group), null, whole);
  return doneEdit({ group: echoed.row, notApplied, unconfirmed });
}

async function updateGroup(context: EditContext, { id, change, options }: Update<GroupId, GroupChange>) {
  const { calls, reads, organizationId: o, dialect } = context;
  const nothing = Object.values(change).every((value) => value === undefined);
  const fault = nothing ? NOTHING_NAMED : validateGroup(change, dialect);
  if (fault !== null) return refusedUnsentEdit(UPDATE_GROUP, fault);
  return replace(calls, {
    path: UPDATE_GROUP.path,
    id,
    read: () => readRawGroup(reads, o, id, PERSON_LANE),
    put: (before) => groupPut(before, change, { o }),
    comparisons: () => groupFieldComparisons(change),
    options,
  });
}

/** Reads the group first, because a 403 does not tell whether it means forbidden or gone. */
async function deleteGroup(
  context: EditContext,
  id: GroupId,
  options: WriteOptions | undefined,
): Promise<EditOutcome<Removed>> {
  const { calls, reader, organizationId: o } = context;
  const before = await readBeforeWrite(reader.group(id, PERSON_LANE));
  if (before.kind !== 'read') return before;
  if (isDefaultGroup(before.value)) return refusedUnsentEdit(DELETE_GROUP, { kind: 'default-group' });
  const sent = await sendWrite(calls, { ...DELETE_GROUP, id, query: { o } }, options);
  return removed(sent, () => isGroupGone(reader, id, PERSON_LANE));
}

const DEVICE = '/servers/{id}';

async function updateDevice(
  { calls, reads, organizationId: o, dialect }: EditContext,
  { id, change, options }: Update<DeviceId, DeviceChange>,
): Promise<EditOutcome<AppliedChange<Device, DeviceField>>> {
  const fault = validateDeviceChange(change);
  if (fault !== null) return refusedUnsentEdit({ method: 'PUT', path: DEVICE }, fault);
  return replace(calls, {
    path: DEVICE,
    id,
    read: () => readRawDevice(reads, o, id, readLaneOf(options)),
    put: (before) => devicePut(before, change, { o }, dialect),
    comparisons: () => deviceFieldComparisons(change),
    options,
  });
}

async function deleteDevice(
  { calls, reader, organizationId: o }: EditContext,
  id: DeviceId,
  options: WriteOptions | undefined,
): Promise<EditOutcome<Removed>> {
  const sent = await sendWrite(calls, { method: 'DELETE', path: DEVICE, id, query: { o } }, options);
  return removed(sent, () => isDeviceGone(reader, id, PERSON_LANE));
}

const BATCH = { method: 'POST', path: '/servers/batch' } as const;
/** Devices in one batch (management API in practice, 7). */
const MAX_BATCH_SIZE = 500;

/** The live batch endpoint leaves other tags alone; without it, each device is changed by itself. */
async function tagDevices(
  context: EditContext,
  ids: readonly DeviceId[],
  change: TagChange,
  options: WriteOptions | undefined,
): Promise<readonly TagResult[] | null> {
  const fault = validateTagChange(change);
  const devices = [...new Set(ids)];
  if (fault !== null) return sameForAll(devices, refusedUnsentEdit(BATCH, fault));
  if (!context.dialect.batch) return null;
  const results: TagResult[] = [];
  for (const batch of chunksOf(devices, MAX_BATCH_SIZE)) {
    const tagged = await tagByBatch(context, batch, change, options);
    if (tagged === null && results.length === 0) return null;
    results.push(...(tagged ?? sameForAll(batch, refusedUnsentEdit(BATCH, { kind: 'no-more-batches' }))));
  }
  return results;
}

/** Null where the service has no such endpoint. */
async function tagByBatch(
  context: EditContext,
  devices: readonly DeviceId[],
  change: TagChange,
  options: WriteOptions | undefined,
): Promise<readonly TagResult[] | null> {
  const actions = [
    { attribute: 'tags', action: 'apply', value: change.add },
    { attribute: 'tags', action: 'remove', value: change.remove },
  ].filter(({ value }) => value.length > 0);
  const query = { o: context.organizationId };
  const sent = await sendWrite(context.calls, { ...BATCH, query, body: { devices, actions } }, options);
  if (sent.kind === 'refused') {
    const isAbsent = sent.error.status === 404 || sent.error.status === 405;
    return isAbsent ? null : sameForAll(devices, sent);
  }
  if (sent.kind === 'withheld' || sent.kind === 'unsent') return sameForAll(devices, sent);
  const after = await readTaggedDevices(context, devices, change, readLaneOf(options));
  return devices.map((deviceId) => ({
    deviceId,
    outcome: batchOutcome(sent, after.get(deviceId) ?? null, change),
  }));
}

/** The service works through a batch after its answer, so tags that do not show yet are unconfirmed, not refused. */
function batchOutcome(
  sent: Exclude<SentWrite, { kind: 'refused' | 'unsent' | 'withheld' }>,
  after: Device | null,
  change: TagChange,
): TagResult['outcome'] {
  const confirmed = after !== null && hasTagChange(after, change);
  if (sent.kind === 'unknown' && !confirmed) return sent;
  return doneEdit({ after, notApplied: [], unconfirmed: confirmed ? [] : ['tags'], alsoChanged: [] });
}

function sameForAll(devices: readonly DeviceId[], outcome: EditOutcome<never>): readonly TagResult[] {
  return devices.map((deviceId) => ({ deviceId, outcome }));
}

/** Wait before each read. How long a batch takes is not documented; a person waits, so the waits are short. */
const WAITS_MS = [0, SECOND, 3 * SECOND, 6 * SECOND];
/** For more devices than this the list is read: one request returns 500 of them. */
const MAX_SINGLE_READS = 10;

/** Read until all have the wanted tags: the service works through its jobs after its answer. */
async function readTaggedDevices(
  context: EditContext,
  ids: readonly DeviceId[],
  change: TagChange,
  lane: ReadOptions,
): Promise<ReadonlyMap<DeviceId, Device>> {
  const latest = new Map<DeviceId, Device>();
  const isOpen = (id: DeviceId) => {
    const device = latest.get(id);
    return device === undefined || !hasTagChange(device, change);
  };
  for (const wait of WAITS_MS) {
    const open = ids.filter(isOpen);
    if (open.length === 0) break;
    if (wait > 0) await context.wait(wait);
    for (const device of await readDevices(context, open, lane)) latest.set(device.id, device);
  }
  return latest;
}

async function readDevices(
  context: EditContext,
  ids: readonly DeviceId[],
  lane: ReadOptions,
): Promise<readonly Device[]> {
  if (ids.length > MAX_SINGLE_READS) return listDevices(context, new Set(ids), lane);
  const devices = await Promise.all(ids.map((id) => readBack(context.reader.device(id, lane))));
  return devices.filter((device) => device !== null);
}

/** As many of the devices as can be read. */
async function listDevices(
  { reader }: EditContext,
  ids: ReadonlySet<DeviceId>,
  lane: ReadOptions,
): Promise<readonly Device[]> {
  const found: Device[] = [];
  try {
    for await (const { rows } of reader.devices({ withoutPolicyStatus: true }, lane)) {
      found.push(...rows.filter(({ id }) => ids.has(id)));
      if (found.length === ids.size) break;
    }
  } catch (error) {
    if (!(error instanceof FleetFailure)) throw error;
  }
  return found;
}

const CREATE_POLICY = { method: 'POST', path: '/policies' } as const;
const UPDATE_POLICY = { method: 'PUT', path: '/policies/{id}' } as const;

async function createPolicy(
  context: EditContext,
  policy: NewPolicy,
  options: WriteOptions | undefined,
): Promise<EditOutcome<AppliedChange<Policy, PolicyField>>> {
  const { calls, reads, reader, organizationId: o, dialect } = context;
  const fault = validatePolicy(policy, dialect);
  if (fault !== null) return refusedUnsentEdit(CREATE_POLICY, fault);
  const body = toWireNewPolicy(policy, o, dialect);
  const sent = await sendWrite(calls, { ...CREATE_POLICY, query: { o }, body }, options);
  if (sent.kind !== 'answered') return sent;
  // 201 without a body and without an id; names are unique (management API in practice, 9).
  const id = await readBack(findOnlyPolicyNamed(reader, policy.name));
  const made = id === null ? null : await readBack(readRawPolicy(reads, o, id, PERSON_LANE));
  const wanted = policyFieldComparisons(policy);
  return doneEdit(
    made === null
      ? { after: null, ...unconfirmedFindings(wanted) }
      : { after: made.read, ...compare(wanted, null, made) },
  );
}

/** Null when the name does not identify one policy: none has it, or several have. */
async function findOnlyPolicyNamed(
  reader: Pick<FleetReader, 'policies'>,
  name: string,
): Promise<PolicyId | null> {
  const found: PolicyId[] = [];
  for await (const { rows } of reader.policies(PERSON_LANE))
    found.push(...rows.filter((policy) => policy.name === name).map(({ id }) => id));
  const [only, another] = found;
  return only === undefined || another !== undefined ? null : only;
}

async function updatePolicy(context: EditContext, { id, change, options }: Update<PolicyId, PolicyChange>) {
  const { calls, reads, organizationId: o, dialect } = context;
  const nothing = Object.values(change).every((value) => value === undefined);
  const fault = nothing ? NOTHING_NAMED : validatePolicy(change, dialect);
  if (fault !== null) return refusedUnsentEdit(UPDATE_POLICY, fault);
  return replace(calls, {
    path: UPDATE_POLICY.path,
    id,
    read: () => readRawPolicy(reads, o, id, PERSON_LANE),
    put: (before) => policyPut(before, change, { o }),
    comparisons: () => policyFieldComparisons(change),
    options,
  });
}
