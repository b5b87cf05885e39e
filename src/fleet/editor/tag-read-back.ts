/** Reads back the tags that a batch changes: the service works through its jobs one by one, after its answer. */
import { SECOND } from '../../lib/clock.ts';
import type { DeviceId } from '../../lib/ids.ts';
import { FleetFailure, type ReadOptions } from '../fleet.ts';
import type { TagChange } from '../model/changes.ts';
import type { Device } from '../model/resources.ts';
import type { EditContext } from './edit-context.ts';
import { readBack } from './send.ts';
import { hasTagChange } from './tag-changes.ts';

/** Wait before each read. How long a batch takes is not documented; a person waits, so the waits are short. */
const WAITS_MS = [0, SECOND, 3 * SECOND, 6 * SECOND];
/** For more devices than this the list is read: one request returns 500 of them. */
const MAX_SINGLE_READS = 10;

/** The devices as they were last read. Stops as soon as all of them have the wanted tags. */
export async function readTaggedDevices(
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
