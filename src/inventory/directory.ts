/** The device index as commands see it: one book, a keeper that keeps it fresh, and finding in it. */
import type { Clock } from '../clock.ts';
import type { Lane } from '../fleet/fleet.ts';
import { displayName } from '../fleet/model.ts';
import type { GroupId } from '../ids.ts';
import { type Log, silentLog } from '../log.ts';
import type { InventoryStore } from '../store/store.ts';
import { createBook } from './book.ts';
import { findDevice, namesNear } from './find.ts';
import type { FindOptions, Found, InventoryService, Snapshot, SnapshotOptions } from './inventory.ts';
import { createKeep, keepNothing } from './keep.ts';
import { createKeeper, isOutage } from './keeper.ts';
import { groupNameIn } from './names.ts';
import { FRESH_MS, SMALL_FLEET, walkBehindAfter } from './pace.ts';
import { createRecent } from './recent.ts';
import { searchDevices } from './search.ts';
import { suggest } from './suggest.ts';
import type { FleetLists } from './walk.ts';

export { groupLabel, groupNameIn } from './names.ts';

export type InventoryOptions = {
  readonly fleet: FleetLists;
  readonly clock: Clock;
  /** Where the index is kept over a restart; absent: nowhere. */
  readonly store?: InventoryStore;
  readonly log?: Log;
  /** Whether it is for this process to read the whole fleet where nobody asks. */
  readonly leads?: () => boolean;
};

/** More names of packages than this are not remembered; those that were seen last are. */
const MOST_PACKAGES = 5_000;

/** The inventory of one organization: of the one that `fleet` and `store` were opened for. */
export function createInventory({
  fleet,
  clock,
  store,
  log = silentLog,
  leads = () => true,
}: InventoryOptions): InventoryService {
  const book = createBook();
  const keep = store === undefined ? keepNothing : createKeep({ store, book, clock, log });
  const keeper = createKeeper({ fleet, clock, book, keep, log, leads });
  const packages = createRecent(MOST_PACKAGES);
  let groupsAsOf: number | null = null;
  let readingGroups: Promise<void> | null = null;

  const age = (): number => clock.now() - (book.findings()?.asOf ?? Number.NEGATIVE_INFINITY);
  const isFresh = (): boolean => age() >= 0 && age() <= FRESH_MS;

  const view = (overdue = false): Snapshot => {
    const findings = book.findings();
    const walking = keeper.walking();
    return {
      devices: book.shelf.ordered().rows,
      unlisted: findings?.unlisted ?? 0,
      groups: book.groups(),
      policies: book.policies(),
      asOf: findings?.asOf ?? walking?.startedAt ?? clock.now(),
      partial: findings === null ? { of: walking?.total() ?? null } : null,
      overdue,
      device: (id) => book.shelf.get(id) ?? null,
      search: (words, options) => searchDevices(book.shelf, words, options),
    };
  };

  /** The walk takes no signal: one who gives up must not end it for the others. */
  const walked = async (lane: Lane, whole: boolean): Promise<Snapshot> => {
    const { done, large } = keeper.walk(lane);
    try {
      await (whole ? done : Promise.race([done, large]));
      return view();
    } catch (error) {
      if (book.findings() === null || !isOutage(error)) throw error;
      return view(true);
    }
  };

  const snapshot = async ({
    lane = 'background',
    refresh = false,
  }: SnapshotOptions = {}): Promise<Snapshot> => {
    if (refresh) return walked(lane, true);
    if (isFresh()) return view();
    const isLarge = book.findings() !== null && book.shelf.size() > SMALL_FLEET;
    if (!isLarge) return walked(lane, false);
    const isDue = age() > walkBehindAfter(book.shelf.size()) && keeper.walking() === null;
    if (isDue && leads()) keeper.walk('background');
    return view();
  };

  const freshGroups = async (lane: Lane): Promise<void> => {
    const asOf = clock.now();
    readingGroups ??= keeper.readGroups(lane).finally(() => {
      readingGroups = null;
    });
    await readingGroups;
    groupsAsOf = asOf;
  };

  const groupName = async (id: GroupId, lane: Lane): Promise<string | null> => {
    const readAt = Math.max(groupsAsOf ?? 0, book.findings()?.asOf ?? 0);
    if (clock.now() - readAt > FRESH_MS || readAt > clock.now()) {
      try {
        await freshGroups(lane);
      } catch (error) {
        if (!book.groups().has(id) || !isOutage(error)) throw error;
      }
    }
    return groupNameIn({ groups: book.groups() }, id);
  };

  const find = async (query: string, options: FindOptions = {}): Promise<Found> => {
    // A name that the index has needs no newer one: what is done with the device reads it first.
    const known = book.findings() === null ? null : findDevice(book.shelf, query, options);
    if (known !== null) return known;
    await snapshot(options);
    const found = findDevice(book.shelf, query, options);
    if (found !== null) return found;
    return { kind: 'none', nearest: options.exact ? [] : namesNear(book.shelf, query, options) };
  };

  return {
    start: keeper.start,
    stop: keeper.stop,
    displayName(id) {
      const device = book.shelf.get(id);
      return device === undefined ? null : displayName(device);
    },
    groupOf(id) {
      const device = book.shelf.get(id);
      return device === undefined ? null : groupNameIn({ groups: book.groups() }, device.groupId);
    },
    follow: keeper.follow,
    lead: keeper.lead,
    snapshot,
    find,
    groupName: async (id, { lane = 'background' } = {}) => (id === null ? null : groupName(id, lane)),
    suggest: (kind, query, limit, options) =>
      suggest({ book, packages: packages.all() }, kind, query, { limit, ...options }),
    learn: keeper.learn,
    learnGroup(group) {
      // One alone would pass for all of them.
      if (book.groups().size > 0) book.setGroups(new Map(book.groups()).set(group.id, group));
    },
    learnPackages: packages.add,
    note(events) {
      packages.add(events.flatMap(({ patches }) => patches.map(({ name }) => name)));
      keeper.note(events);
    },
  };
}
