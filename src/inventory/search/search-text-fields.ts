/** Reads back, from the text that search reads, what no other field of a row keeps. In its comparable form. Pure. */

import type { IndexedDevice } from '../device-index/indexed-device.ts';
import { canonicalAddress, parseNetwork } from './ip-networks.ts';
import { ADDRESS_MARK, FIELD_MARK, normalizeField } from './search-text.ts';

type RowWithText = Pick<IndexedDevice, 'searchText'>;

/** Where each stands in {@link searchedText}. */
const SERIAL_POSITION = 2;
const USER_POSITION = 3;

/** The serial number; null where there is none or it is one that thousands of devices share. */
export function serialNumberIn(row: RowWithText): string | null {
  return fieldAt(row, SERIAL_POSITION);
}

/** Who was last logged in. */
export function loggedInUserIn(row: RowWithText): string | null {
  return fieldAt(row, USER_POSITION);
}

/** Public ones first, then private ones. */
export function addressesOf({ searchText }: RowWithText): readonly string[] {
  return searchText.split(ADDRESS_MARK).slice(1);
}

function fieldAt({ searchText }: RowWithText, at: number): string | null {
  const [fields = ''] = searchText.split(ADDRESS_MARK, 1);
  const value = fields.split(FIELD_MARK)[at] ?? '';
  return value === '' ? null : value;
}

/** Whether one of its names holds this text. */
export function nameContains({ searchText }: RowWithText, text: string): boolean {
  const at = searchText.indexOf(normalizeField(text));
  return at !== -1 && at < searchText.indexOf(FIELD_MARK, searchText.indexOf(FIELD_MARK) + 1);
}

/** Whether the serial number holds this text. */
export function serialContains(text: string): (row: RowWithText) => boolean {
  return fieldContains(text, serialNumberIn);
}

/** Whether the logged-in user’s name holds this text. */
export function userContains(text: string): (row: RowWithText) => boolean {
  return fieldContains(text, loggedInUserIn);
}

/** The whole text is looked at first: taking it apart for each of a large fleet would take long. */
function fieldContains(text: string, of: (row: RowWithText) => string | null): (row: RowWithText) => boolean {
  const wanted = normalizeField(text);
  return (row) => row.searchText.includes(wanted) && of(row)?.includes(wanted) === true;
}

/** Whether one of the addresses is this one, begins so (`10.1.`), or lies in this network; null for what is neither. */
export function hasAddress(text: string): ((row: RowWithText) => boolean) | null {
  const network = parseNetwork(text.trim());
  if (network !== null) return anyAddressMatches(network.start, network.contains);
  const address = canonicalAddress(text).toLowerCase();
  if (!/^[0-9a-f.:]+$/.test(address) || !/[.:]/.test(address)) return null;
  const isPart = /[.:]$/.test(address) && !address.endsWith('::');
  return anyAddressMatches(address, (one) => (isPart ? one.startsWith(address) : one === address));
}

function anyAddressMatches(
  start: string,
  holds: (address: string) => boolean,
): (row: RowWithText) => boolean {
  return (row) => row.searchText.includes(ADDRESS_MARK + start) && addressesOf(row).some(holds);
}
