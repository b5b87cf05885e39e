/** Reads from a row's search text what no other field of the row holds, in its comparable form. Pure. */

import type { IndexedDevice } from '../device-index/indexed-device.ts';
import { isFieldEdge } from './characters.ts';
import { canonicalAddress, parseNetwork, someAddress } from './ip-networks.ts';
import { ADDRESS_MARK, FIELD_MARK, normalizeField } from './search-text.ts';

type RowWithText = Pick<IndexedDevice, 'searchText'>;

/** The index of each field in {@link toSearchText}. */
const SERIAL_POSITION = 2;
const USER_POSITION = 3;

/** The serial number; null when there is none or it is one that thousands of devices share. */
export function serialNumberIn(row: RowWithText): string | null {
  return fieldAt(row, SERIAL_POSITION);
}

export function loggedInUserIn(row: RowWithText): string | null {
  return fieldAt(row, USER_POSITION);
}

/** The user, where this is their whole name or account: `corp\tlee` and `tlee@example.com` are `tlee`, or `T Lee`. */
export function userNamed(text: string, row: RowWithText): string | null {
  const [user, wanted] = [loggedInUserIn(row), normalizeField(text)];
  const account = user?.slice(user.lastIndexOf('\\') + 1).split('@', 1)[0];
  return user === wanted || account === wanted.replaceAll(' ', '') ? user : null;
}

/** The addresses: those that `wanted` names first, then public ones, then private ones. */
export function addressesOf({ searchText }: RowWithText, wanted = ''): readonly string[] {
  const addresses = searchText.split(ADDRESS_MARK).slice(1);
  const isWanted = hasAddress(wanted);
  if (isWanted === null) return addresses;
  const rank = (address: string) => (isWanted({ searchText: ADDRESS_MARK + address }) ? 0 : 1);
  return addresses.toSorted((a, b) => rank(a) - rank(b));
}

function fieldAt({ searchText }: RowWithText, at: number): string | null {
  // Without splitting the text: that takes long for each device of a large fleet.
  let start = 0;
  for (let field = 0; field < at; field += 1) start = searchText.indexOf(FIELD_MARK, start) + 1;
  let end = start;
  while (!isFieldEdge(searchText, end)) end += 1;
  return end === start ? null : searchText.slice(start, end);
}

export function nameContains({ searchText }: RowWithText, text: string): boolean {
  const at = searchText.indexOf(normalizeField(text));
  return at !== -1 && at < searchText.indexOf(FIELD_MARK, searchText.indexOf(FIELD_MARK) + 1);
}

/** Whether the serial number contains this text; null: there is none. */
export function serialContains(text: string): (row: RowWithText) => boolean | null {
  return fieldContains(text, serialNumberIn);
}

/** Whether the name of the logged-in user contains this text; null: there is none. */
export function userContains(text: string): (row: RowWithText) => boolean | null {
  return fieldContains(text, loggedInUserIn);
}

function fieldContains(text: string, of: (row: RowWithText) => string | null) {
  const wanted = normalizeField(text);
  return (row: RowWithText) => of(row)?.includes(wanted) ?? null;
}

/** Whether an address equals this one, begins with it (`10.1.`), or lies in this network; null: it is neither. */
export function hasAddress(text: string): ((row: RowWithText) => boolean) | null {
  const network = parseNetwork(text.trim());
  if (network !== null) return ({ searchText }) => network.isIn(searchText);
  const address = canonicalAddress(text).toLowerCase();
  if (!/^[0-9a-f.:]+$/.test(address) || !/[.:]/.test(address)) return null;
  const isPart = /[.:]$/.test(address) && !address.endsWith('::');
  return ({ searchText }) => someAddress(searchText, address, (one) => isPart || one === address);
}
