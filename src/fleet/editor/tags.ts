/**
 * Tags of many devices. The batch endpoint of the live service adds and removes without touching other tags; where it
 * is missing, every device is read, changed and read back by itself.
 */
import type { DeviceId } from '../../ids.ts';
import type { EditOutcome, FleetEditor, TagChange, Tagged } from '../edits.ts';
import type { Device } from '../model.ts';
import { wholeDevice } from '../reads/devices.ts';
import type { Whole } from '../reads/reads.ts';
import { type Desk, FOR_A_PERSON } from './desk.ts';
import { devicePut, shownTags } from './device-fields.ts';
import { type Put, replace } from './replace.ts';
import { done, refusedHere, type Sent, send } from './send.ts';
import { faultOfTagChange, holds, tagged } from './tag-change.ts';
import { readTagged } from './tag-proof.ts';

const BATCH = { method: 'POST', path: '/servers/batch' } as const;
/** Devices in one batch (management API in practice, 7). */
const LARGEST_BATCH = 500;

export function tagEdits(desk: Desk): Pick<FleetEditor, 'tagDevices'> {
  return {
    async tagDevices(ids, change) {
      const fault = faultOfTagChange(change);
      const devices = [...new Set(ids)];
      if (fault !== null) return all(devices, refusedHere(BATCH, fault));
      const results: Tagged[] = [];
      let byBatch = desk.dialect.batch;
      for (let start = 0; start < devices.length; start += LARGEST_BATCH) {
        const chunk = devices.slice(start, start + LARGEST_BATCH);
        const settled = byBatch ? await tagByBatch(desk, chunk, change) : null;
        byBatch = settled !== null;
        results.push(...(settled ?? (await tagOneByOne(desk, chunk, change))));
      }
      return results;
    },
  };
}

/** Null where the service has no such endpoint. */
async function tagByBatch(
  desk: Desk,
  devices: readonly DeviceId[],
  change: TagChange,
): Promise<readonly Tagged[] | null> {
  const actions = [
    { attribute: 'tags', action: 'apply', value: change.add },
    { attribute: 'tags', action: 'remove', value: change.remove },
  ].filter(({ value }) => value.length > 0);
  const query = { o: desk.organizationId };
  const sent = await send(desk.calls, { ...BATCH, query, body: { devices, actions } });
  if (sent.kind === 'refused') {
    const isAbsent = sent.error.status === 404 || sent.error.status === 405;
    return isAbsent ? null : all(devices, sent);
  }
  if (sent.kind === 'withheld') return all(devices, sent);
  const after = await readTagged(desk, devices, change);
  return devices.map((deviceId) => ({
    deviceId,
    outcome: outcomeOf(sent, after.get(deviceId) ?? null, change),
  }));
}

/** The service works a batch off in its own time, so tags that do not show yet are unconfirmed, not refused. */
function outcomeOf(
  sent: Exclude<Sent, { kind: 'refused' | 'withheld' }>,
  after: Device | null,
  change: TagChange,
): Tagged['outcome'] {
  const confirmed = after !== null && holds(after, change);
  if (sent.kind === 'unknown' && !confirmed) return sent;
  return done({ after, notTaken: [], sentUnconfirmed: confirmed ? [] : ['tags'], alsoChanged: [] });
}

async function tagOneByOne(
  desk: Desk,
  devices: readonly DeviceId[],
  change: TagChange,
): Promise<readonly Tagged[]> {
  const results: Tagged[] = [];
  for (const deviceId of devices) results.push({ deviceId, outcome: await tagOne(desk, deviceId, change) });
  return results;
}

function tagOne(desk: Desk, id: DeviceId, change: TagChange): Promise<Tagged['outcome']> {
  const { calls, reads, organizationId: o, dialect } = desk;
  const put = (before: Whole<Device>): Put => {
    const tags = shownTags(before);
    if (tags !== null && holds(before.read, change)) return { kind: 'needless' };
    return devicePut(before, tags === null ? {} : { tags: tagged(tags, change) }, { o }, dialect);
  };
  return replace<Device, 'tags'>(calls, {
    path: '/servers/{id}',
    id,
    read: () => wholeDevice(reads, o, id, FOR_A_PERSON),
    put,
    comparisons: () => [{ field: 'tags', key: 'tags', wanted: true, of: ({ read }) => holds(read, change) }],
  });
}

function all(devices: readonly DeviceId[], outcome: EditOutcome<never>): readonly Tagged[] {
  return devices.map((deviceId) => ({ deviceId, outcome }));
}
