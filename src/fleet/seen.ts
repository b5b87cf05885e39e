/** When a device was last heard of. Pure. */
import type { Instant } from '../clock.ts';
import type { Device } from './model.ts';

type Times = Pick<Device, 'lastDisconnectTime' | 'lastUpdateTime' | 'lastRefreshTime' | 'lastProcessTime'>;

/** The latest time at which it said anything; null where the service states none. A connected one is seen now. */
export function lastSeenAt(device: Times): Instant | null {
  const { lastDisconnectTime, lastUpdateTime, lastRefreshTime, lastProcessTime } = device;
  let latest: Instant | null = null;
  for (const time of [lastDisconnectTime, lastUpdateTime, lastRefreshTime, lastProcessTime]) {
    if (time !== null && (latest === null || time > latest)) latest = time;
  }
  return latest;
}
