/**
 * A reader for many devices in a row: what is the same for all of them (groups and policies) is read once, and again
 * only after a while, so that no device adds a request.
 */
import { ageOf, type Clock, type Instant, SECOND } from '../../lib/clock.ts';
import type { FleetPage, FleetReader, ReadOptions } from '../fleet.ts';
import { collectRows } from './read-helpers.ts';

/** Two readings of a list a minute each; what changed since is not seen for so long. Our own figure. */
const MAX_AGE_MS = 30 * SECOND;

/** The same reader; devices, packages and queues are read each time. */
export function createSharedReader(reader: FleetReader, { now }: Pick<Clock, 'now'>): FleetReader {
  const kept = <Key, Value>(read: (key: Key, options?: ReadOptions) => Promise<Value>): typeof read => {
    const values = new Map<Key, { readonly at: Instant; readonly value: Promise<Value> }>();
    return (key, options) => {
      const known = values.get(key);
      if (known !== undefined && ageOf(known.at, now()) <= MAX_AGE_MS) return known.value;
      const entry = { at: now(), value: read(key, options) };
      values.set(key, entry);
      // Whoever asked hears of the failure; the next one reads again.
      entry.value.catch(() => {
        if (values.get(key) === entry) values.delete(key);
      });
      return entry.value;
    };
  };
  const keptList = <Row>(list: (options?: ReadOptions) => AsyncIterable<FleetPage<Row>>): typeof list => {
    const all = kept((_: 'all', options) => collectRows(list(options)));
    return async function* (options) {
      const rows = await all('all', options);
      yield { rows, total: rows.length, unreadable: 0 };
    };
  };
  const { groups, policies, policy } = reader;
  return { ...reader, groups: keptList(groups), policies: keptList(policies), policy: kept(policy) };
}
