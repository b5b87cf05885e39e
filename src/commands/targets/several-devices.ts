/** Devices that are named one after the other, separated by commas. */
import { chunksOf } from '../../lib/chunks.ts';
import type { DeviceId } from '../../lib/ids.ts';
import type { ReadPorts } from '../core/command.ts';
import {
  type DeviceRef,
  PERSON_PRIORITY,
  type RetryWithDevice,
  type WithDevice,
  withDevice,
} from './resolve-device.ts';

/** The names between the commas, each once; null where there are none, or where one device has all of it as its name. */
export async function severalDeviceNames(
  typed: DeviceRef,
  { inventory }: Pick<ReadPorts, 'inventory'>,
): Promise<readonly string[] | null> {
  if (typeof typed !== 'string' || !typed.includes(',')) return null;
  const names = [...new Set(typed.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  if (names.length === 0) return null;
  const whole = await inventory.find(typed, { ...PERSON_PRIORITY, exact: true, namesOnly: true });
  return whole.kind === 'none' ? names : null;
}

/** Devices read at a time, so that other requests are not delayed. */
const AT_ONCE = 4;

/** The result of `job` for each device, each device once; or what is wrong with the first name that fits none. */
export async function withEachDevice<T>(
  names: readonly string[],
  { again, job }: { readonly again: RetryWithDevice; readonly job: (id: DeviceId) => Promise<T> },
  ports: ReadPorts,
): Promise<WithDevice<ReadonlyMap<DeviceId, T>>> {
  const done = new Map<DeviceId, T>();
  for (const some of chunksOf(names, AT_ONCE)) {
    const results = some.map((device) => {
      const retry: RetryWithDevice = (found) => {
        const typed = typeof found === 'number' ? `#${found}` : found;
        return again(names.with(names.indexOf(device), typed).join(', '));
      };
      return withDevice({ device, again: retry }, ports, async (id) => ({ id, value: await job(id) }));
    });
    for (const result of await Promise.all(results)) {
      if (result.kind !== 'done') return result;
      done.set(result.value.id, result.value.value);
    }
  }
  return { kind: 'done', value: done };
}
