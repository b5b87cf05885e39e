/** When the fleet is read: at the start, at its pace, when somebody asks, and as events tell of single devices. */
import { type Clock, type Instant, later, MINUTE, type Timer } from '../clock.ts';
import { DEVICE_ADDED, DEVICE_REMOVED } from '../fleet/event-names.ts';
import { FleetFailure, type Lane } from '../fleet/fleet.ts';
import type { Device, FleetEvent } from '../fleet/model.ts';
import type { DeviceId, EventId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Book } from './book.ts';
import type { Keep, TakeChange } from './keep.ts';
import { PAGE_PAUSE_MS, RETRY_MS, SMALL_FLEET, walkEvery } from './pace.ts';
import { forgetOldest } from './recent.ts';
import {
  type FleetLists,
  readOne,
  takeDevice,
  takeGroups,
  type Walking,
  type WalkOptions,
  walkFleet,
} from './walk.ts';

export type Keeper = {
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** The walk under way; else a new one on this lane. A person's ends the pauses. */
  readonly walk: (lane: Lane) => Walking;
  readonly walking: () => Walking | null;
  /** Reads the groups alone. */
  readonly readGroups: (lane: Lane) => Promise<void>;
  readonly learn: (device: Device) => void;
  readonly note: (events: readonly FleetEvent[]) => void;
  /** Takes up what other replicas learned; never throws. */
  readonly follow: () => Promise<void>;
  /** This process reads the fleet from now on: as soon as it would have been due. */
  readonly lead: () => void;
};
export type KeeperOptions = {
  readonly fleet: FleetLists;
  readonly clock: Clock;
  readonly book: Book;
  readonly keep: Keep;
  readonly log: Log;
  /** Whether it is for this process to read the whole fleet where nobody asks; the others follow what it keeps. */
  readonly leads?: () => boolean;
};

/** How far the service's clock may be behind ours. */
const SKEW_MS = MINUTE;
/** Events that were noted, so that one that is listed again is not noted again. */
const MOST_NOTED = 5_000;

export function createKeeper(options: KeeperOptions): Keeper {
  const { fleet, clock, book, keep, log, leads = () => true } = options;
  const ending = new AbortController();
  const { signal } = ending;
  const noted = new Set<EventId>();
  let walking: Walking | null = null;
  let timer: Timer | undefined;
  let started = false;
  let following: Promise<void> | null = null;
  /** Single reads, one after the other. */
  let reading: Promise<void> = Promise.resolve();
  const background: Pick<WalkOptions, 'fleet' | 'lane' | 'signal'> = { fleet, lane: 'background', signal };

  const schedule = (ms: number): void => {
    timer?.cancel();
    if (!started || signal.aborted) return;
    timer = clock.at(later(clock.now(), ms), () => {
      if (leads()) walk('background');
      else schedule(walkEvery(book.shelf.size()));
    });
  };

  const walk = (lane: Lane): Walking => {
    walking ??= begin(lane);
    if (lane === 'person') walking.hurry();
    return walking;
  };

  const begin = (lane: Lane): Walking => {
    const large = Promise.withResolvers<void>();
    const hurried = Promise.withResolvers<void>();
    const since = { seen: new Set<DeviceId>(), removed: new Set<DeviceId>() };
    let total: number | null = null;
    const onPage = async (said: number | null): Promise<void> => {
      total = said ?? total;
      if (Math.max(total ?? 0, book.shelf.size()) <= SMALL_FLEET) return;
      large.resolve();
      // A first walk goes as fast as it may: until its end the index is a part.
      if (book.findings() !== null) await paused(clock, hurried.promise);
    };
    const done = walkFleet({ fleet, clock, book, keep, lane, signal, onPage, since }).finally(() => {
      walking = null;
    });
    done.then(
      () => schedule(walkEvery(book.shelf.size())),
      (error: unknown) => {
        if (signal.aborted) return;
        log.warn({ event: 'inventory.failed', err: error }, 'could not read the fleet');
        schedule(RETRY_MS);
      },
    );
    const startedAt = clock.now();
    return { startedAt, done, large: large.promise, total: () => total, hurry: hurried.resolve, since };
  };

  const learn = (device: Device): void => {
    if (device.deleted === true) {
      remove(device.id);
      return;
    }
    walking?.since.seen.add(device.id);
    walking?.since.removed.delete(device.id);
    takeDevice({ book, keep }, device);
  };
  const remove = (id: DeviceId): void => {
    walking?.since.removed.add(id);
    walking?.since.seen.delete(id);
    if (book.shelf.remove(id)) keep.drop([id]);
  };
  const readAdded = (id: DeviceId): void => {
    reading = reading
      .then(async () => {
        if (signal.aborted || book.shelf.get(id) !== undefined) return;
        const read = await readOne(background, id);
        if (read !== 'gone' && read !== 'unknown') learn(read);
      })
      .catch((error: unknown) => {
        if (!signal.aborted)
          log.warn({ event: 'inventory.unread', err: error }, 'could not read a new device');
      });
  };
  const apply = ({ name, deviceId }: FleetEvent): void => {
    if (deviceId === null) return;
    if (name === DEVICE_ADDED) readAdded(deviceId);
    else if (name === DEVICE_REMOVED) remove(deviceId);
  };

  /** Learned otherwise than by the walk under way, so newer than its pages. */
  const takeChange: TakeChange = (id, row) => {
    const { seen, removed } = walking?.since ?? { seen: new Set(), removed: new Set() };
    (row === null ? removed : seen).add(id);
    (row === null ? seen : removed).delete(id);
    if (row === null) book.shelf.remove(id);
    else book.shelf.put(row);
  };

  const follow = async (): Promise<void> => {
    try {
      await keep.follow(takeChange);
      book.shelf.settle();
    } catch (error) {
      log.warn(
        { event: 'inventory.not-followed', err: error },
        'could not load device changes from other replicas',
      );
    }
  };

  return {
    follow() {
      following ??= follow().finally(() => {
        following = null;
      });
      return following;
    },
    lead() {
      const asOf = book.findings()?.asOf;
      const dueAt = asOf === undefined ? clock.now() : later(asOf, walkEvery(book.shelf.size()));
      if (walking === null) schedule(Math.max(dueAt - clock.now(), 0));
    },
    async start() {
      try {
        await keep.load();
      } catch (error) {
        log.warn(
          { event: 'inventory.unkept', err: error },
          'could not load the device index from the database',
        );
      }
      started = true;
      if (leads()) walk('background');
      else schedule(walkEvery(book.shelf.size()));
    },
    async stop() {
      ending.abort(new Error('stopped'));
      walking?.hurry();
      timer?.cancel();
      await Promise.allSettled([walking?.done, reading, following]);
      await keep.flush();
    },
    walk,
    walking: () => walking,
    readGroups: (lane) => takeGroups({ fleet, book, lane, signal }),
    learn,
    note(events) {
      // The log of before the start is history, which the walk at the start has seen.
      const history = noted.size === 0 ? historyBefore(walking, book) : null;
      const fresh = events
        .filter(({ id, name }) => (name === DEVICE_ADDED || name === DEVICE_REMOVED) && !noted.has(id))
        .filter(({ createTime }) => history === null || createTime === null || createTime >= history)
        .toSorted((a, b) => a.id - b.id);
      for (const { id } of events) noted.add(id);
      for (const event of fresh) apply(event);
      forgetOldest(noted, MOST_NOTED);
    },
  };
}

/** Events of before this are in what was walked through; null where nothing was. */
function historyBefore(walking: Walking | null, book: Book): Instant | null {
  const since = walking?.startedAt ?? book.findings()?.asOf;
  return since === undefined ? null : later(since, -SKEW_MS);
}

/** Between two pages; nobody waits longer than for the one that is read. */
async function paused(clock: Clock, hurried: Promise<void>): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = clock.at(later(clock.now(), PAGE_PAUSE_MS), over.resolve);
  await Promise.race([over.promise, hurried]);
  timer.cancel();
}

/** Whether a read failed because of the service, so that what is known may stand in for it. */
export function isOutage(error: unknown): boolean {
  return error instanceof FleetFailure;
}
