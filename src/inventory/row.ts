/** A device as the index keeps it: what lists, filters and search need, and nothing of what its card reads fresh. */
import type { Device } from '../fleet/model.ts';
import { searchedText } from './searched.ts';

/**
 * A small object per device: repeated words (systems, tags) are shared by all rows that have them. Every field is a
 * word of memory for each of a hundred thousand devices, so one that nothing here reads has no place.
 */
export type IndexedDevice = Pick<
  Device,
  | 'id'
  | 'groupId'
  | 'name'
  | 'customName'
  | 'osFamily'
  | 'osName'
  | 'osVersion'
  | 'tags'
  | 'connected'
  | 'needsReboot'
  | 'pending'
  | 'compliant'
  | 'exception'
  | 'needsAttention'
  | 'pendingPatches'
> & {
  /** What search reads, see `searched.ts`. */
  readonly searched: string;
};

/** Gives equal words and equal lists of words back as one and the same. */
export type Shared = {
  readonly word: (word: string | null) => string | null;
  readonly words: (words: readonly string[]) => readonly string[];
};

/** More different words than this are no longer few: then sharing begins anew instead of growing for ever. */
const MOST_SHARED = 20_000;

export function createShared(): Shared {
  const known = new Map<string, string>();
  const lists = new Map<string, readonly string[]>();
  const shared = (given: string): string => {
    if (known.size > MOST_SHARED) known.clear();
    const first = known.get(given) ?? given;
    known.set(given, first);
    return first;
  };
  return {
    word: (given) => (given === null ? null : shared(given)),
    words(given) {
      const key = given.join('\n');
      if (lists.size > MOST_SHARED) lists.clear();
      const list = lists.get(key) ?? given.map(shared);
      lists.set(key, list);
      return list;
    },
  };
}

/** The row of a device that was read. */
export function rowOf(device: Device, shared: Shared): IndexedDevice {
  return {
    id: device.id,
    groupId: device.groupId,
    name: device.name,
    customName: device.customName,
    osFamily: shared.word(device.osFamily),
    osName: shared.word(device.osName),
    osVersion: shared.word(device.osVersion),
    tags: shared.words(device.tags),
    connected: device.connected,
    needsReboot: device.needsReboot,
    pending: device.pending,
    compliant: device.compliant,
    exception: device.exception,
    needsAttention: device.needsAttention,
    pendingPatches: device.pendingPatches,
    searched: searchedText(device),
  };
}

/** Whether two rows say the same; tags are shared lists, so that equal ones are one. */
export function sameRow(a: IndexedDevice, b: IndexedDevice): boolean {
  return (
    a.searched === b.searched &&
    a.name === b.name &&
    a.customName === b.customName &&
    a.groupId === b.groupId &&
    a.osFamily === b.osFamily &&
    a.osName === b.osName &&
    a.osVersion === b.osVersion &&
    a.tags === b.tags &&
    a.connected === b.connected &&
    a.needsReboot === b.needsReboot &&
    a.pending === b.pending &&
    a.compliant === b.compliant &&
    a.exception === b.exception &&
    a.needsAttention === b.needsAttention &&
    a.pendingPatches === b.pendingPatches
  );
}
