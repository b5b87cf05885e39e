/** A device that is meant by its name alone, without a command before it. */
import { FleetFailure } from '../../fleet/fleet.ts';
import type { ReadPorts } from '../command.ts';
import type { DeviceRef } from './resolve.ts';
import { PERSON } from './resolve.ts';

/**
 * Its number, or the words where several devices are called so; null where none is. By names and numbers alone: a
 * line that is no command is not held against what is personal. Where the fleet cannot be read nothing is named.
 */
export async function deviceCalled(
  words: string,
  { inventory }: Pick<ReadPorts, 'inventory'>,
): Promise<DeviceRef | null> {
  try {
    const found = await inventory.find(words, { ...PERSON, exact: true, namesOnly: true });
    if (found.kind === 'none') return null;
    return found.kind === 'one' ? found.device.id : words;
  } catch (error) {
    if (error instanceof FleetFailure) return null;
    throw error;
  }
}
