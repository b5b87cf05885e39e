/** Finds devices by whatever a person knows about them. Pure. */
import { displayName } from '../../fleet/model/resources.ts';
import { deviceId } from '../../lib/ids.ts';
import { fold } from '../../lib/text.ts';
import type { RowStore } from '../device-index/row-store.ts';
import type { DeviceMatch, IndexedDevice, SearchResult, SearchScope, SearchTerm } from '../inventory.ts';
import { comparedWords, nearestNames } from '../nearest-names.ts';
import {
  canonicalAddress,
  FIELD_MARK,
  hasWholeField,
  isNamed,
  parseNetwork,
  userNamed,
} from './search-text.ts';
import {
  type Bitmap,
  bitmapOf,
  emptyBitmap,
  fullBitmap,
  intersect,
  isEmptyBitmap,
  type SearchableTexts,
  slotsIn,
  union,
} from './text-index.ts';
import { MAX_SEARCH_WORDS, searchTexts, slotsContaining, slotsNear } from './text-search.ts';

const ID_WORD = /^#(\d{1,15})$/;
const BARE_ID_WORD = /^[1-9]\d{0,14}$/;

type SearchOptions = SearchScope & {
  readonly limit?: number;
};

/** Every word must match: an id, a network, or a part of a name, address, serial number or user. */
export function searchDevices(
  rowStore: RowStore,
  wanted: readonly SearchTerm[],
  { limit = Infinity, namesOnly }: SearchOptions = {},
): SearchResult {
  const { rows } = rowStore.ordered();
  const reader = namesOnly ? namesReader(rowStore) : fullReader(rowStore);
  const words = normalizedWords(wanted.filter((word) => typeof word === 'string')).slice(0, MAX_SEARCH_WORDS);
  const texts: string[] = [];
  let only: Bitmap | null = null;
  let isClose = false;
  for (const word of words) {
    const slots = reader.slotsNamedBy(word);
    if (slots === null) texts.push(reader.toIndexForm(word));
    else only = only === null ? slots : intersect(only, slots);
  }
  for (const alternatives of wanted) {
    const folded = typeof alternatives === 'string' ? [] : normalizedWords(alternatives);
    if (folded.length === 0) continue;
    const { slots, isClose: isTypo } = matchAnyOf(rowStore, reader, folded);
    only = only === null ? slots : intersect(only, slots);
    isClose ||= isTypo;
  }
  if (texts.length === 0 && only === null) return { devices: rows, isApproximate: false };
  const hits = searchTexts(reader.source, texts, { only, limit });
  const devices = rowsAt(rowStore, hits.slots);
  const found: SearchResult = {
    devices,
    isApproximate: (hits.isApproximate || isClose) && devices.length > 0,
  };
  const [number] = words;
  return wanted.length === 1 && number !== undefined && BARE_ID_WORD.test(number)
    ? putIdFirst(rowStore, Number(number), found)
    : found;
}

function normalizedWords(words: readonly string[]): readonly string[] {
  return [...new Set(words.map(fold))].filter((word) => word !== '');
}

type WordReader = {
  readonly source: SearchableTexts;
  /** Slots of an id or a network, found without reading texts; null when the word is neither. */
  readonly slotsNamedBy: (word: string) => Bitmap | null;
  /** The word as it is spelled in the texts. */
  readonly toIndexForm: (word: string) => string;
};

function fullReader(rowStore: RowStore): WordReader {
  const { texts, ngrams, inNetwork } = rowStore.textIndex;
  return {
    source: { texts, ngrams, order: rowStore.ordered().order },
    slotsNamedBy(word) {
      const network = parseNetwork(word);
      return network === null ? slotOfId(rowStore, word) : inNetwork(network);
    },
    toIndexForm: canonicalAddress,
  };
}

/** Does not search personal data. */
function namesReader(rowStore: RowStore): WordReader {
  const { names, ngrams } = rowStore.textIndex;
  return {
    source: { texts: names(), ngrams, arePartial: true, order: rowStore.ordered().order },
    slotsNamedBy: (word) => slotOfId(rowStore, word),
    toIndexForm: (word) => word,
  };
}

function slotOfId(rowStore: RowStore, word: string): Bitmap | null {
  const id = ID_WORD.exec(word)?.[1];
  if (id === undefined) return null;
  const slot = rowStore.slotOf(deviceId(Number(id)));
  return bitmapOf(slot === undefined ? [] : [slot], rowStore.textIndex.texts.length);
}

/** Approximate matches only where no word matches exactly, and only for the first words of a long list. */
function matchAnyOf(
  rowStore: RowStore,
  { source, slotsNamedBy, toIndexForm }: WordReader,
  words: readonly string[],
): { readonly slots: Bitmap; readonly isClose: boolean } {
  let slots = emptyBitmap(rowStore.textIndex.texts.length);
  for (const word of words) {
    slots = union(slots, slotsNamedBy(word) ?? slotsContaining(source, toIndexForm(word)));
    const id = BARE_ID_WORD.test(word) ? slotOfId(rowStore, `#${word}`) : null;
    if (id !== null) slots = union(slots, id);
  }
  if (!isEmptyBitmap(slots)) return { slots, isClose: false };
  for (const word of words.slice(0, MAX_SEARCH_WORDS)) {
    if (slotsNamedBy(word) === null) slots = union(slots, slotsNear(source, toIndexForm(word)));
  }
  return { slots, isClose: !isEmptyBitmap(slots) };
}

/** A loop over a list of full length, because there may be a hundred thousand. */
function rowsAt(rowStore: RowStore, slots: Uint32Array): readonly IndexedDevice[] {
  const found = rowStore.ordered().rows.slice(0, slots.length);
  for (let at = 0; at < slots.length; at += 1) {
    const row = rowStore.rowAt(slots[at] ?? 0);
    if (row !== undefined) found[at] = row;
  }
  return found;
}

/** A bare number may be an id: that device then comes first. */
function putIdFirst(rowStore: RowStore, id: number, { devices, isApproximate }: SearchResult): SearchResult {
  const named = rowStore.get(deviceId(id));
  if (named === undefined) return { devices, isApproximate };
  return {
    devices: [named, ...(isApproximate ? [] : devices.filter((device) => device !== named))],
    isApproximate: false,
  };
}

/** Comparing with every name takes too long for larger fleets; then only the first search results are compared. */
const MAX_COMPARED = 1_000;
const MAX_SEARCHED = 100;
/** More close names do not help. */
const MAX_NEAREST = 5;

/** By its id, or by the whole of a name or another field. Null where none or several can be meant. */
export function matchDevice(
  rowStore: RowStore,
  query: string,
  { namesOnly }: SearchScope = {},
): Exclude<DeviceMatch, { kind: 'none' }> | null {
  const id = ID_WORD.exec(query.trim())?.[1];
  const withId = id === undefined ? undefined : rowStore.get(deviceId(Number(id)));
  if (withId !== undefined) return { kind: 'one', device: withId };
  const wanted = fold(query);
  const matching = rowsWithField(rowStore, wanted);
  const named = matching.filter(({ searchText }) => isNamed(searchText, wanted));
  const isByName = named.length > 0 || namesOnly === true;
  const devices = isByName ? named : rowsByOtherFields(rowStore, matching, wanted);
  const [first, second] = devices;
  if (first === undefined) return null;
  if (second === undefined) return { kind: 'one', device: first };
  return { kind: 'several', devices: devices.toSorted(isByName ? byId : bySeen) };
}

const byId = (a: IndexedDevice, b: IndexedDevice): number => a.id - b.id;
/** The last seen first: a user or address has likely moved on from the others. A connected device is seen now. */
const bySeen = (a: IndexedDevice, b: IndexedDevice): number => seenRank(b) - seenRank(a) || byId(a, b);
const seenRank = ({ connected, seenMinute }: IndexedDevice): number =>
  connected === true ? Number.MAX_SAFE_INTEGER : (seenMinute ?? 0);

function rowsWithField({ textIndex, rowAt }: RowStore, wanted: string): readonly IndexedDevice[] {
  if (wanted === '') return [];
  const all = fullBitmap(textIndex.texts.length);
  const candidates = textIndex.ngrams.candidates(FIELD_MARK + wanted + FIELD_MARK, all);
  return slotsIn(candidates).flatMap((slot) => {
    const row = rowAt(slot);
    return row !== undefined && hasWholeField(row.searchText, wanted) ? [row] : [];
  });
}

/** When no name matches: rows with this serial number, user, address or account, or all devices of a network. */
function rowsByOtherFields(
  rowStore: RowStore,
  matching: readonly IndexedDevice[],
  wanted: string,
): readonly IndexedDevice[] {
  if (parseNetwork(wanted) !== null) return searchDevices(rowStore, [wanted]).devices;
  const address = canonicalAddress(wanted);
  const whole = address === wanted ? matching : rowsWithField(rowStore, address);
  if (whole.length > 0) return whole;
  const containing = searchDevices(rowStore, [wanted.replaceAll(' ', '')]).devices;
  return containing.filter((row) => userNamed(wanted, row) !== null);
}

export function suggestNames(rowStore: RowStore, query: string, scope: SearchScope = {}): readonly string[] {
  const rows =
    rowStore.size() <= MAX_COMPARED
      ? rowStore.ordered().rows
      : searchDevices(rowStore, comparedWords(query), { ...scope, limit: MAX_SEARCHED }).devices;
  return nearestNames(query, namesOf(rows), MAX_NEAREST);
}

function* namesOf(devices: readonly IndexedDevice[]): Iterable<string> {
  for (const device of devices) {
    yield displayName(device);
    if (device.name !== '') yield device.name;
  }
}
