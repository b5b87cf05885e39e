/** Targets are looked at sooner when their devices show signs of life: an event of the log, or the return of a device. */
import { PATCH_APPLIED, PATCH_FAILED, POLICY_ACTION } from '../../fleet/model/event-kinds.ts';
import type { FleetEvent } from '../../fleet/model/resources.ts';
import type { Clock } from '../../lib/clock.ts';
import type { DeviceId, EventId } from '../../lib/ids.ts';
import { type Log, silentLog } from '../../lib/log.ts';
import type { Store } from '../../store/port/store.ts';

type HastenOptions = {
  readonly store: Pick<Store, 'work'> & { readonly targets: Pick<Store['targets'], 'hasten'> };
  readonly clock: Pick<Clock, 'now'>;
  readonly wakeWorker: () => void;
  readonly log?: Log | undefined;
};

export type HastenLooks = Readonly<ReturnType<typeof createHastenLooks>>;

const PROVING: ReadonlySet<string> = new Set([PATCH_APPLIED, PATCH_FAILED, POLICY_ACTION]);

export function createHastenLooks({ store, clock, wakeWorker, log = silentLog }: HastenOptions) {
  const noted = new Set<DeviceId>();
  /** Those of the time before. */
  let listed: ReadonlySet<EventId> = new Set();
  let flushing: Promise<void> | null = null;

  const hasten = async (): Promise<void> => {
    const devices = [...noted];
    noted.clear();
    const now = clock.now();
    const requests = await store.targets.hasten(devices, now);
    for (const key of requests) await store.work.put({ kind: 'follow', key, dueAt: now });
    if (requests.length > 0) wakeWorker();
  };

  /** Those of one page of a list, which come one after the other, are one statement. */
  const flush = async (): Promise<void> => {
    await Promise.resolve();
    try {
      while (noted.size > 0) await hasten();
    } catch (error) {
      // Each is looked at anyway, only later.
      log.warn({ event: 'operation.not-hastened', err: error }, 'could not look at commands sooner');
    } finally {
      flushing = null;
    }
  };

  const note = (devices: readonly DeviceId[]): Promise<void> => {
    for (const id of devices) noted.add(id);
    if (noted.size === 0) return Promise.resolve();
    flushing ??= flush();
    return flushing;
  };

  return {
    /** The device is connected again. Resolves when its targets are due; never rejects. */
    noteReturn: (id: DeviceId) => note([id]),
    /** Events that were just listed, some of them again; those of patches and policies may be proof. Never rejects. */
    noteEvents: (events: readonly Pick<FleetEvent, 'id' | 'name' | 'deviceId'>[]): Promise<void> => {
      const fresh = events.filter(({ id, name }) => PROVING.has(name) && !listed.has(id));
      listed = new Set(events.map(({ id }) => id));
      return note(fresh.flatMap(({ deviceId }) => (deviceId === null ? [] : [deviceId])));
    },
  };
}
