/** A device in the index: the fields that lists, filters and search need. A device's card is read fresh instead. */

import { lastSeenAt } from '../../fleet/model/derived-fields.ts';
import type { Device } from '../../fleet/model/resources.ts';
import { type Instant, instant, MINUTE } from '../../lib/clock.ts';
import { type PolicyId, policyId } from '../../lib/ids.ts';
import { toSearchText } from '../search/search-text.ts';

/**
 * A small object per device: repeated words (systems, tags) are shared by all rows that have them. Every field costs
 * memory for each of a hundred thousand devices, so fields that nothing here reads are left out.
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
  /** Whether any available patch is not installed, wanted by policies or not. A number would cost memory for each device. */
  readonly missesPatches: boolean | null;
  /** Policies that apply to the device, lowest id first; null when the service did not state them. */
  readonly policyIds: readonly PolicyId[] | null;
  /** Policies with which the device does not comply. */
  readonly failingIds: readonly PolicyId[];
  /**
   * When it was last seen, in whole minutes since 1970: a small integer takes no extra memory. Null when that is not
   * stated, and for a connected device, whose times change with every walk: it is seen now.
   */
  readonly seenMinute: number | null;
  /** The text that search reads, see `search/search-text.ts`. */
  readonly searchText: string;
};

/** Returns one shared instance for equal words and for equal lists of words. */
export type Interner = Readonly<ReturnType<typeof createInterner>>;

/** Maximum shared words: beyond this, sharing starts again instead of growing for ever. */
const MAX_INTERNED = 20_000;

export function createInterner() {
  const known = new Map<string, string>();
  const lists = new Map<string, readonly string[]>();
  const idLists = new Map<string, readonly PolicyId[]>();
  const intern = (word: string): string => {
    if (known.size > MAX_INTERNED) known.clear();
    const first = known.get(word) ?? word;
    known.set(word, first);
    return first;
  };
  return {
    text: (word: string | null): string | null => (word === null ? null : intern(word)),
    texts(words: readonly string[]): readonly string[] {
      const key = words.join('\n');
      if (lists.size > MAX_INTERNED) lists.clear();
      const list = lists.get(key) ?? words.map(intern);
      lists.set(key, list);
      return list;
    },
    /** The list for a text such as `12,2103`; see {@link policyIdsText}. */
    ids(text: string): readonly PolicyId[] {
      if (idLists.size > MAX_INTERNED) idLists.clear();
      const list = idLists.get(text) ?? parsePolicyIds(text);
      idLists.set(text, list);
      return list;
    },
  };
}

/** Ids as one text, lowest first, so that equal lists give equal texts. */
export function policyIdsText(ids: readonly PolicyId[]): string {
  return [...new Set(ids)].sort((a, b) => a - b).join(',');
}

/** Skips parts that are not ids. */
function parsePolicyIds(text: string): readonly PolicyId[] {
  return text
    .split(',')
    .filter((part) => /^[1-9]\d{0,14}$/.test(part))
    .map((part) => policyId(Number(part)));
}

/** When the device was last seen, to the minute; null when that is not stated or it is connected. */
export function lastSeenAtOf({ seenMinute }: Pick<IndexedDevice, 'seenMinute'>): Instant | null {
  return seenMinute === null ? null : instant(seenMinute * MINUTE);
}

export function toIndexedDevice(device: Device, interner: Interner): IndexedDevice {
  return {
    id: device.id,
    groupId: device.groupId,
    name: device.name,
    customName: device.customName,
    osFamily: interner.text(device.osFamily),
    osName: interner.text(device.osName),
    osVersion: interner.text(device.osVersion),
    agentVersion: interner.text(device.agentVersion),
    tags: device.tags && interner.texts(device.tags),
    connected: device.connected,
    needsReboot: device.needsReboot,
    pending: device.pending,
    compliant: device.compliant,
    exception: device.exception,
    needsAttention: device.needsAttention,
    pendingPatches: device.pendingPatches,
    missesPatches: device.patches === null ? null : device.patches > 0,
    ...policyFieldsOf(device, interner),
    seenMinute: seenMinuteOf(device),
    searchText: toSearchText(device),
  };
}

/**
 * Assumption (§2.4, §2.5): a row that names any of its policies names all of them. The short list comes with every
 * row, even when the long one was not requested; a row of a device that was never scanned has neither. Only the word
 * `unmanaged` means that there are none ("management API in practice" 5.1).
 */
function policyFieldsOf(
  { policyStatus, policyCompliance, policyStatuses }: Device,
  interner: Interner,
): Pick<IndexedDevice, 'policyIds' | 'failingIds'> {
  if (policyCompliance.length + policyStatuses.length === 0) {
    const none = interner.ids('');
    return { policyIds: policyStatus === 'unmanaged' ? none : null, failingIds: none };
  }
  const longer = policyStatuses.map((entry) => entry.policyId).filter((id) => id !== null);
  const all = [...policyCompliance.map((entry) => entry.policyId), ...longer];
  const failing = policyCompliance.filter(({ compliant }) => compliant === false);
  return {
    policyIds: interner.ids(policyIdsText(all)),
    failingIds: interner.ids(policyIdsText(failing.map((entry) => entry.policyId))),
  };
}

function seenMinuteOf(device: Device): number | null {
  const seen = device.connected === true ? null : lastSeenAt(device);
  return seen === null ? null : Math.floor(seen / MINUTE);
}

/** Whether two rows are equal. Tags and policies are shared lists, so equal ones are identical. */
export function isSameRow(a: IndexedDevice, b: IndexedDevice): boolean {
  return (
    a.searchText === b.searchText &&
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
    a.pendingPatches === b.pendingPatches &&
    a.missesPatches === b.missesPatches
  );
}
