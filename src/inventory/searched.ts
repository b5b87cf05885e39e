/**
 * The text of a device that search reads: its fields in their comparable form, one after the other. No folded text
 * holds a line end, so these mark where a field begins; `.` in a regular expression does not pass over them, which
 * keeps a match within one field. Addresses begin with a mark of their own.
 */
import type { Device } from '../fleet/model.ts';
import { fold } from '../text.ts';
import { canonicalAddress } from './addresses.ts';

export const FIELD = '\n';
export const ADDRESS = '\r';

/** Nobody types more of a name; a longer one would only make every search slower. */
const LONGEST_FIELD = 128;

type SearchedFields = Pick<
  Device,
  'name' | 'customName' | 'serialNumber' | 'lastLoggedInUser' | 'addresses' | 'privateAddresses'
>;

/** Hostname, custom name, serial number and logged-in user, then every address. */
export function searchedText(device: SearchedFields): string {
  const fields = [device.name, device.customName ?? '', serial(device), device.lastLoggedInUser ?? ''];
  const addresses = [...device.addresses, ...device.privateAddresses].map(canonicalAddress);
  return [fields.map(folded).join(FIELD), ...new Set(addresses.map(folded))].join(ADDRESS);
}

/** Whether it is such a text: names are told from what is personal by where they stand in it. */
export function isSearchedText(text: string): boolean {
  const custom = text.indexOf(FIELD) + 1;
  const serial = custom === 0 ? 0 : text.indexOf(FIELD, custom) + 1;
  const user = serial === 0 ? 0 : text.indexOf(FIELD, serial) + 1;
  const address = text.indexOf(ADDRESS);
  return user > 0 && (address === -1 || address >= user);
}

/** The comparable form of one field; most are plain ASCII, where only the case can differ. */
export function folded(text: string): string {
  const plain = /^[\x21-\x7e]*$/.test(text) ? text.toLowerCase() : fold(text);
  return plain.length > LONGEST_FIELD ? plain.slice(0, LONGEST_FIELD).toWellFormed() : plain;
}

/** Whether one of the two names is this folded text. */
export function isNamed(searched: string, name: string): boolean {
  if (searched.startsWith(name) && searched[name.length] === FIELD) return true;
  const first = searched.indexOf(FIELD) + 1;
  return searched.startsWith(name, first) && searched[first + name.length] === FIELD;
}

/** Whether one of all its fields is this folded text. */
export function isWhole(searched: string, field: string): boolean {
  for (let at = searched.indexOf(field); at !== -1; at = searched.indexOf(field, at + 1)) {
    if (isEdge(searched, at - 1) && isEdge(searched, at + field.length)) return true;
  }
  return false;
}

function isEdge(searched: string, at: number): boolean {
  const char = searched[at];
  return char === undefined || char === FIELD || char === ADDRESS;
}

/** The same text with the two names alone. */
export function namesIn(searched: string): string {
  const second = searched.indexOf(FIELD, searched.indexOf(FIELD) + 1);
  return `${searched.slice(0, second)}${FIELD}${FIELD}`;
}

/** What makers of boards and hypervisors write where a serial number belongs: thousands of devices share it. */
const JUNK = new Set([
  'default string',
  'to be filled by o.e.m.',
  'to be filled by oem',
  'system serial number',
  'chassis serial number',
  'base board serial number',
  'serial number',
  'not specified',
  'not applicable',
  'not available',
  'none',
  'n/a',
  'na',
  'null',
  'unknown',
  'invalid',
  'oem',
  'o.e.m.',
  'empty',
  'no asset tag',
  '0123456789',
  '1234567890',
  '123456789',
  '12345678',
]);

/** A serial number that tells devices apart; "" where it is junk. */
function serial({ serialNumber }: Pick<Device, 'serialNumber'>): string {
  const text = fold(serialNumber ?? '');
  return JUNK.has(text) || /^(.)\1*$/u.test(text.replace(/[\s.-]/g, '')) ? '' : text;
}
