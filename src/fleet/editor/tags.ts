/**
 * Tags of many devices. The batch endpoint of the live service adds and removes tags without touching others; without
 * it, they are changed like every other field, one device at a time.
 */
import { chunksOf } from '../../lib/chunks.ts';
import { SECOND } from '../../lib/clock.ts';
import type { DeviceId } from '../../lib/ids.ts';
import { FleetFailure, type ReadOptions, type WriteOptions } from '../fleet.ts';
import type { TagChange } from '../model/changes.ts';
import type { EditOutcome, FleetEditor, TagResult } from '../model/edits.ts';
import type { Device } from '../model/resources.ts';
import { type EditContext, readLaneOf } from './edit-context.ts';
import { doneEdit, readBack, refusedUnsentEdit, type SentWrite, sendWrite } from './send.ts';
import { hasTagChange, validateTagChange } from './tag-changes.ts';

const BATCH = { method: 'POST', path: '/servers/batch' } as const;
/** Devices in one batch (management API in practice, 7). */
const MAX_BATCH_SIZE = 500;

/** Tags of many devices, in batches. */
export function tagEdits(context: EditContext): Pick<FleetEditor, 'tagDevices'> {
  return {
    async tagDevices(ids, change, options) {
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
    },
  };
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

/**
 * The devices as they were last read: the service works through its jobs one by one, after its answer. Stops as soon as
 * all of them have the wanted tags.
 */
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
