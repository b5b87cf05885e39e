/** A device as the index keeps it: what lists, filters and search need, and nothing of what its card reads fresh. */
import { type Instant, instant, MINUTE } from '../clock.ts';
import type { Device } from '../fleet/model.ts';
import { lastSeenAt } from '../fleet/seen.ts';
import { type PolicyId, policyId } from '../ids.ts';
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
  | 'agentVersion'
  | 'tags'
  | 'connected'
  | 'needsReboot'
  | 'pending'
  | 'compliant'
  | 'exception'
  | 'needsAttention'
  | 'pendingPatches'
> & {
  /** Of the policies that apply to it, the lowest first; null where the service did not state them. */
  readonly policyIds: readonly PolicyId[] | null;
  /** Of those with which it does not comply. */
  readonly failingIds: readonly PolicyId[];
  /**
   * When it was last seen, in whole minutes since 1970: a small integer takes no memory of its own. Null where that is
   * not stated, and of a connected device, whose times change with every walk: it is seen now.
   */
  readonly seenMinute: number | null;
  /** What search reads, see `searched.ts`. */
  readonly searched: string;
};

/** Gives equal words and equal lists of words back as one and the same. */
export type Shared = {
  readonly word: (word: string | null) => string | null;
  readonly words: (words: readonly string[]) => readonly string[];
  /** The list that a text such as `12,2103` names; see {@link idsText}. */
  readonly ids: (text: string) => readonly PolicyId[];
};

/** More different words than this are no longer few: then sharing begins anew instead of growing for ever. */
const MOST_SHARED = 20_000;

export function createShared(): Shared {
  const known = new Map<string, string>();
  const lists = new Map<string, readonly string[]>();
  const idLists = new Map<string, readonly PolicyId[]>();
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
    ids(text) {
      if (idLists.size > MOST_SHARED) idLists.clear();
      const list = idLists.get(text) ?? idsIn(text);
      idLists.set(text, list);
      return list;
    },
  };
}

/** Ids as one text, the lowest first: equal lists are equal texts. */
export function idsText(ids: readonly PolicyId[]): string {
  return [...new Set(ids)].sort((a, b) => a - b).join(',');
}

/** What is no id is left out. */
function idsIn(text: string): readonly PolicyId[] {
  return text
    .split(',')
    .filter((part) => /^[1-9]\d{0,14}$/.test(part))
    .map((part) => policyId(Number(part)));
}

/** When the device was last seen, to the minute; null where that is not stated or it is connected. */
export function seenAt({ seenMinute }: Pick<IndexedDevice, 'seenMinute'>): Instant | null {
  return seenMinute === null ? null : instant(seenMinute * MINUTE);
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
    agentVersion: shared.word(device.agentVersion),
    tags: shared.words(device.tags),
    connected: device.connected,
    needsReboot: device.needsReboot,
    pending: device.pending,
    compliant: device.compliant,
    exception: device.exception,
    needsAttention: device.needsAttention,
    pendingPatches: device.pendingPatches,
    ...policiesOf(device, shared),
    seenMinute: seenMinuteOf(device),
    searched: searchedText(device),
  };
}

/**
 * Assumption (§2.4, §2.5): a row that names any of its policies names all of them. The short list comes with every row,
 * also where the long one was not asked for; a row of a device that was never scanned has neither. Only the word
 * `unmanaged` says that there are none ("management API in practice" 5.1).
 */
function policiesOf(
  { policyStatus, policyCompliance, policyStatuses }: Device,
  shared: Shared,
): Pick<IndexedDevice, 'policyIds' | 'failingIds'> {
  if (policyCompliance.length + policyStatuses.length === 0) {
    const none = shared.ids('');
    return { policyIds: policyStatus === 'unmanaged' ? none : null, failingIds: none };
  }
  const longer = policyStatuses.map((entry) => entry.policyId).filter((id) => id !== null);
  const all = [...policyCompliance.map((entry) => entry.policyId), ...longer];
  const failing = policyCompliance.filter(({ compliant }) => compliant === false);
  return {
    policyIds: shared.ids(idsText(all)),
    failingIds: shared.ids(idsText(failing.map((entry) => entry.policyId))),
  };
}

function seenMinuteOf(device: Device): number | null {
  const seen = device.connected === true ? null : lastSeenAt(device);
  return seen === null ? null : Math.floor(seen / MINUTE);
}

/** Whether two rows say the same; tags and policies are shared lists, so that equal ones are one. */
export function sameRow(a: IndexedDevice, b: IndexedDevice): boolean {
  return (
    a.searched === b.searched &&
    a.name === b.name &&
    a.customName === b.customName &&
    a.groupId === b.groupId &&
    a.osFamily === b.osFamily &&
    a.osName === b.osName &&
    a.osVersion === b.osVersion &&
    a.agentVersion === b.agentVersion &&
    a.policyIds === b.policyIds &&
    a.failingIds === b.failingIds &&
    a.seenMinute === b.seenMinute &&
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
