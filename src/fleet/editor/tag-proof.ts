/** Reading back the tags that a batch changes: its jobs are done one after the other, after the answer. */
import { SECOND } from '../../clock.ts';
import type { DeviceId } from '../../ids.ts';
import type { TagChange } from '../edits.ts';
import { FleetFailure } from '../fleet.ts';
import type { Device } from '../model.ts';
import { type Desk, FOR_A_PERSON } from './desk.ts';
import { readBack } from './send.ts';
import { holds } from './tag-change.ts';

/** Before each look. How long a batch takes is not known; a person waits, so it is not long. */
const WAITS_MS = [0, SECOND, 3 * SECOND, 6 * SECOND];
/** More devices than this are looked for in the list: one request for 500 of them. */
const MOST_SINGLE_READS = 10;

/** The devices as they were last read; the looking ends as soon as all of them have the tags as wanted. */
export async function readTagged(
  desk: Desk,
  ids: readonly DeviceId[],
  change: TagChange,
): Promise<ReadonlyMap<DeviceId, Device>> {
  const latest = new Map<DeviceId, Device>();
  const isOpen = (id: DeviceId) => {
    const device = latest.get(id);
    return device === undefined || !holds(device, change);
  };
  for (const wait of WAITS_MS) {
    const open = ids.filter(isOpen);
    if (open.length === 0) break;
    if (wait > 0) await desk.wait(wait);
    for (const device of await readDevices(desk, open)) latest.set(device.id, device);
  }
  return latest;
}

async function readDevices(desk: Desk, ids: readonly DeviceId[]): Promise<readonly Device[]> {
  if (ids.length > MOST_SINGLE_READS) return listDevices(desk, new Set(ids));
  const devices = await Promise.all(ids.map((id) => readBack(desk.reader.device(id, FOR_A_PERSON))));
  return devices.filter((device) => device !== null);
}

/** As many of them as can be read. */
async function listDevices({ reader }: Desk, ids: ReadonlySet<DeviceId>): Promise<readonly Device[]> {
  const found: Device[] = [];
  try {
    for await (const { rows } of reader.devices({ withoutPolicyStatus: true }, FOR_A_PERSON)) {
      found.push(...rows.filter(({ id }) => ids.has(id)));
      if (found.length === ids.size) break;
    }
  } catch (error) {
    if (!(error instanceof FleetFailure)) throw error;
  }
  return found;
}
