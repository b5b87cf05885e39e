/** One walk through the whole fleet into the book. Rows can be found as soon as their page was read. */

import { type Clock, type Instant, turn } from '../clock.ts';
import { collectRows } from '../fleet/collect-rows.ts';
import { FleetFailure, type FleetReader, type Lane } from '../fleet/fleet.ts';
import type { Device } from '../fleet/model.ts';
import type { DeviceId } from '../ids.ts';
import type { Book, Findings, PolicyName } from './book.ts';
import type { Keep } from './keep.ts';
import { rowOf } from './row.ts';

export type FleetLists = Pick<FleetReader, 'devices' | 'device' | 'groups' | 'policies'>;

export type WalkOptions = {
  readonly fleet: FleetLists;
  readonly clock: Clock;
  readonly book: Book;
  readonly keep: Keep;
  readonly lane: Lane;
  readonly signal: AbortSignal;
  /** After each page, with what the service says there is in all; its end is waited for before the next one. */
  readonly onPage: (total: number | null) => Promise<void>;
  /** What was learned otherwise since the walk began: newer than its pages. */
  readonly since: Since;
};

export type Since = { readonly seen: Set<DeviceId>; readonly removed: Set<DeviceId> };

/** So many devices that are no longer listed are asked for by their id: rows move between pages during a walk. */
const MOST_CONFIRMED = 20;

/** Rows that are put into the index without a turn for others in between: about a millisecond of work. */
const ROWS_AT_ONCE = 100;

/** Throws {@link FleetFailure}; what was read until then stays known. */
export async function walkFleet(options: WalkOptions): Promise<void> {
  const { clock, book, keep } = options;
  const asOf = clock.now();
  const listed = new Set<DeviceId>();
  const [unlisted] = await Promise.all([
    takeDevices(options, listed),
    takeGroups(options),
    takePolicies(options),
  ]);
  await removeAbsent(options, listed);
  const findings: Findings = { asOf, unlisted };
  book.setFindings(findings);
  keep.facts();
}

async function takeDevices(options: WalkOptions, listed: Set<DeviceId>): Promise<number> {
  const { fleet, lane, signal, onPage, since } = options;
  let unlisted = 0;
  const { shelf } = options.book;
  for await (const page of fleet.devices({ withoutPolicyStatus: true }, { lane, signal })) {
    for (const [at, device] of page.rows.entries()) {
      if (at > 0 && at % ROWS_AT_ONCE === 0) {
        shelf.settle();
        await turn();
      }
      listed.add(device.id);
      if (!since.removed.has(device.id) && !since.seen.has(device.id)) takeDevice(options, device);
    }
    unlisted += page.unreadable + (page.shortfall ?? 0);
    shelf.settle();
    await onPage(page.total);
  }
  return unlisted;
}

/** The row of a device that was read just now. */
export function takeDevice({ book, keep }: Pick<WalkOptions, 'book' | 'keep'>, device: Device): void {
  const row = rowOf(device, book.shared);
  if (book.shelf.put(row)) keep.put(row);
}

/** Reads the groups into the book. */
export async function takeGroups({
  fleet,
  book,
  lane,
  signal,
}: Pick<WalkOptions, 'fleet' | 'book' | 'lane' | 'signal'>): Promise<void> {
  const groups = await collectRows(fleet.groups({ lane, signal }));
  book.setGroups(new Map(groups.map((group) => [group.id, group])));
}

/** A key may have no right to policies: then their names are not offered, and everything else goes on. */
async function takePolicies({ fleet, book, lane, signal }: WalkOptions): Promise<void> {
  try {
    const policies = await collectRows(fleet.policies({ lane, signal }));
    book.setPolicies(policies.map(({ id, name, type }): PolicyName => ({ id, name, type })));
  } catch (error) {
    if (!(error instanceof FleetFailure)) throw error;
  }
}

async function removeAbsent(options: WalkOptions, listed: ReadonlySet<DeviceId>): Promise<void> {
  const { book, keep, since } = options;
  const absent = [...book.shelf.ids()].filter((id) => !listed.has(id) && !since.seen.has(id));
  const gone = absent.length > MOST_CONFIRMED ? absent : await confirmed(options, absent);
  for (const id of gone) book.shelf.remove(id);
  keep.drop(gone);
}

/** Those of `ids` that the service does not know any more. */
async function confirmed(options: WalkOptions, ids: readonly DeviceId[]): Promise<readonly DeviceId[]> {
  const gone: DeviceId[] = [];
  for (const id of ids) {
    const read = await readOne(options, id);
    if (read === 'gone') gone.push(id);
    else if (read !== 'unknown') takeDevice(options, read);
  }
  return gone;
}

/** One device; `unknown` where the service did not say. */
export async function readOne(
  { fleet, lane, signal }: Pick<WalkOptions, 'fleet' | 'lane' | 'signal'>,
  id: DeviceId,
): Promise<Device | 'gone' | 'unknown'> {
  try {
    const device = await fleet.device(id, { lane, signal });
    return device.deleted === true ? 'gone' : device;
  } catch (error) {
    if (error instanceof FleetFailure) return error.error.kind === 'missing' ? 'gone' : 'unknown';
    throw error;
  }
}

/** A walk under way, as those who wait for it see it. */
export type Walking = {
  readonly startedAt: Instant;
  readonly done: Promise<void>;
  /** Resolves once the first pages show that the fleet is too large to wait for. */
  readonly large: Promise<void>;
  readonly total: () => number | null;
  /** Somebody waits: no more pauses. */
  readonly hurry: () => void;
  readonly since: Since;
};
