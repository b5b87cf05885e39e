/** Reads back, from the text that search reads, what no other field of a row keeps. In its comparable form. Pure. */
import { canonicalAddress, networkOf } from './addresses.ts';
import type { IndexedDevice } from './row.ts';
import { ADDRESS, FIELD, folded } from './searched.ts';

type Row = Pick<IndexedDevice, 'searched'>;

/** Where each stands in {@link searchedText}. */
const SERIAL = 2;
const USER = 3;

/** The serial number; null where there is none or it is one that thousands of devices share. */
export function serialIn(row: Row): string | null {
  return field(row, SERIAL);
}

/** Who was last logged in. */
export function userIn(row: Row): string | null {
  return field(row, USER);
}

/** Public ones first, then private ones. */
export function addressesIn({ searched }: Row): readonly string[] {
  return searched.split(ADDRESS).slice(1);
}

function field({ searched }: Row, at: number): string | null {
  const [fields = ''] = searched.split(ADDRESS, 1);
  const value = fields.split(FIELD)[at] ?? '';
  return value === '' ? null : value;
}

/** Whether one of its names holds this text. */
export function isInName({ searched }: Row, text: string): boolean {
  const at = searched.indexOf(folded(text));
  return at !== -1 && at < searched.indexOf(FIELD, searched.indexOf(FIELD) + 1);
}

/** Whether the serial number holds this text. */
export function hasSerial(text: string): (row: Row) => boolean {
  return holding(text, serialIn);
}

/** Whether the logged-in user’s name holds this text. */
export function hasUser(text: string): (row: Row) => boolean {
  return holding(text, userIn);
}

/** The whole text is looked at first: taking it apart for each of a large fleet would take long. */
function holding(text: string, of: (row: Row) => string | null): (row: Row) => boolean {
  const wanted = folded(text);
  return (row) => row.searched.includes(wanted) && of(row)?.includes(wanted) === true;
}

/** Whether one of the addresses is this one, begins so (`10.1.`), or lies in this network; null for what is neither. */
export function hasAddress(text: string): ((row: Row) => boolean) | null {
  const network = networkOf(text.trim());
  if (network !== null) return among(network.start, network.holds);
  const address = canonicalAddress(text).toLowerCase();
  if (!/^[0-9a-f.:]+$/.test(address) || !/[.:]/.test(address)) return null;
  const isPart = /[.:]$/.test(address) && !address.endsWith('::');
  return among(address, (one) => (isPart ? one.startsWith(address) : one === address));
}

function among(start: string, holds: (address: string) => boolean): (row: Row) => boolean {
  return (row) => row.searched.includes(ADDRESS + start) && addressesIn(row).some(holds);
}
