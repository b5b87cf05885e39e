/**
 * Tags of many devices. The batch endpoint of the live service adds and removes tags without touching others; without
 * it, each device is read, changed and read back on its own.
 */
import type { DeviceId } from '../../lib/ids.ts';
import type { EditOutcome, FleetEditor, TagChange, TagResult } from '../model/edits.ts';
import type { Device } from '../model/resources.ts';
import { readRawDevice } from '../reads/devices.ts';
import type { WithRaw } from '../reads/reads.ts';
import { devicePut, readableTags } from './device-fields.ts';
import { type EditContext, PERSON_LANE } from './edit-context.ts';
import { type PutPlan, replace } from './replace.ts';
import { doneEdit, refusedUnsentEdit, type SentWrite, sendWrite } from './send.ts';
import { applyTagChange, hasTagChange, validateTagChange } from './tag-changes.ts';
import { readTaggedDevices } from './tag-read-back.ts';

const BATCH = { method: 'POST', path: '/servers/batch' } as const;
/** Devices in one batch (management API in practice, 7). */
const MAX_BATCH_SIZE = 500;

/** Tags of many devices, in batches or one device after the other. */
export function tagEdits(context: EditContext): Pick<FleetEditor, 'tagDevices'> {
  return {
    async tagDevices(ids, change) {
      const fault = validateTagChange(change);
      const devices = [...new Set(ids)];
      if (fault !== null) return sameForAll(devices, refusedUnsentEdit(BATCH, fault));
      const results: TagResult[] = [];
      let byBatch = context.dialect.batch;
      for (let start = 0; start < devices.length; start += MAX_BATCH_SIZE) {
        const chunk = devices.slice(start, start + MAX_BATCH_SIZE);
        const settled = byBatch ? await tagByBatch(context, chunk, change) : null;
        byBatch = settled !== null;
        results.push(...(settled ?? (await tagOneByOne(context, chunk, change))));
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
): Promise<readonly TagResult[] | null> {
  const actions = [
    { attribute: 'tags', action: 'apply', value: change.add },
    { attribute: 'tags', action: 'remove', value: change.remove },
  ].filter(({ value }) => value.length > 0);
  const query = { o: context.organizationId };
  const sent = await sendWrite(context.calls, { ...BATCH, query, body: { devices, actions } });
  if (sent.kind === 'refused') {
    const isAbsent = sent.error.status === 404 || sent.error.status === 405;
    return isAbsent ? null : sameForAll(devices, sent);
  }
  if (sent.kind === 'withheld' || sent.kind === 'unsent') return sameForAll(devices, sent);
  const after = await readTaggedDevices(context, devices, change);
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

async function tagOneByOne(
  context: EditContext,
  devices: readonly DeviceId[],
  change: TagChange,
): Promise<readonly TagResult[]> {
  const results: TagResult[] = [];
  for (const deviceId of devices)
    results.push({ deviceId, outcome: await tagOne(context, deviceId, change) });
  return results;
}

function tagOne(context: EditContext, id: DeviceId, change: TagChange): Promise<TagResult['outcome']> {
  const { calls, reads, organizationId: o, dialect } = context;
  const put = (before: WithRaw<Device>): PutPlan => {
    const tags = readableTags(before);
    if (tags !== null && hasTagChange(before.read, change)) return { kind: 'needless' };
    return devicePut(before, tags === null ? {} : { tags: applyTagChange(tags, change) }, { o }, dialect);
  };
  return replace<Device, 'tags'>(calls, {
    path: '/servers/{id}',
    id,
    read: () => readRawDevice(reads, o, id, PERSON_LANE),
    put,
    comparisons: () => [
      { field: 'tags', key: 'tags', wanted: true, read: ({ read }) => hasTagChange(read, change) },
    ],
  });
}

function sameForAll(devices: readonly DeviceId[], outcome: EditOutcome<never>): readonly TagResult[] {
  return devices.map((deviceId) => ({ deviceId, outcome }));
}
