/** Whether a removed device or group is gone: the proof of a removal. */
import type { DeviceId, GroupId } from '../../lib/ids.ts';
import { FleetFailure, type FleetReader, type ReadOptions } from '../fleet.ts';
import { nullIfMissing } from './read-helpers.ts';

/** Throws {@link FleetFailure}. */
export async function isDeviceGone(
  reader: Pick<FleetReader, 'device'>,
  id: DeviceId,
  options: ReadOptions,
): Promise<boolean> {
  return (await nullIfMissing(() => reader.device(id, options))) === null;
}

/**
 * The live service answers 403 for a deleted group, and its list may still have it for a moment: then it is not gone
 * yet. Throws {@link FleetFailure}.
 */
export async function isGroupGone(
  reader: Pick<FleetReader, 'group'>,
  id: GroupId,
  options: ReadOptions,
): Promise<boolean> {
  try {
    return (await nullIfMissing(() => reader.group(id, options))) === null;
  } catch (error) {
    if (error instanceof FleetFailure && error.error.kind === 'forbidden') return false;
    throw error;
  }
}
