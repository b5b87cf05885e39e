/** The search text of a device: its fields in their comparable form, one after the other. Pure. */
import type { Device } from '../../fleet/model/resources.ts';
import { fold } from '../../lib/text.ts';
import { ADDRESS_MARK, FIELD_MARK, isFieldEdge } from './characters.ts';
import { canonicalAddress } from './ip-networks.ts';

export { ADDRESS_MARK, FIELD_MARK };

/** Nobody types more of a name; longer ones would slow down every search. */
const MAX_FIELD_LENGTH = 128;

type SearchTextFields = Pick<
  Device,
  'name' | 'customName' | 'serialNumber' | 'lastLoggedInUser' | 'addresses' | 'privateAddresses'
>;

/** Hostname, custom name, serial number and logged-in user, then every address. */
export function toSearchText(device: SearchTextFields): string {
  const fields = [
    device.name,
    device.customName ?? '',
    meaningfulSerial(device),
    device.lastLoggedInUser ?? '',
  ];
  const addresses = [...device.addresses, ...device.privateAddresses].map(canonicalAddress);
  return [fields.map(normalizeField).join(FIELD_MARK), ...new Set(addresses.map(normalizeField))].join(
    ADDRESS_MARK,
  );
}

/** Whether the text has this form. The position in it separates names from personal data. */
export function isSearchText(text: string): boolean {
  const custom = text.indexOf(FIELD_MARK) + 1;
  const serial = custom === 0 ? 0 : text.indexOf(FIELD_MARK, custom) + 1;
  const user = serial === 0 ? 0 : text.indexOf(FIELD_MARK, serial) + 1;
  const address = text.indexOf(ADDRESS_MARK);
  return user > 0 && (address === -1 || address >= user);
}

/** The comparable form of one field. Most are plain ASCII, where only the case can differ. */
export function normalizeField(text: string): string {
  const plain = /^[\x21-\x39\x3b-\x7e]*$/.test(text) ? text.toLowerCase() : fold(text);
  return plain.length > MAX_FIELD_LENGTH ? plain.slice(0, MAX_FIELD_LENGTH).toWellFormed() : plain;
}

/** Whether one of the two names equals this folded text. */
export function isNamed(searched: string, name: string): boolean {
  if (searched.startsWith(name) && searched[name.length] === FIELD_MARK) return true;
  const first = searched.indexOf(FIELD_MARK) + 1;
  return searched.startsWith(name, first) && searched[first + name.length] === FIELD_MARK;
}

/** Whether any field equals this folded text. */
export function hasWholeField(searched: string, field: string): boolean {
  for (let at = searched.indexOf(field); at !== -1; at = searched.indexOf(field, at + 1)) {
    if (isFieldEdge(searched, at - 1) && isFieldEdge(searched, at + field.length)) return true;
  }
  return false;
}

export function withNamesOnly(searched: string): string {
  const second = searched.indexOf(FIELD_MARK, searched.indexOf(FIELD_MARK) + 1);
  return `${searched.slice(0, second)}${FIELD_MARK}${FIELD_MARK}`;
}

/** Values that makers of boards and hypervisors write in place of a serial number: thousands of devices share them. */
const JUNK_SERIALS = new Set(
  [
    'default string, to be filled by o.e.m., to be filled by oem, system serial number',
    'chassis serial number, base board serial number, serial number, not specified',
    'not applicable, not available, none, n/a, na, null, unknown, invalid, oem, o.e.m., empty',
    'no asset tag, 0123456789, 1234567890, 123456789, 12345678',
  ].flatMap((line) => line.split(', ')),
);

/** The serial number if it tells devices apart, otherwise "". */
function meaningfulSerial({ serialNumber }: Pick<Device, 'serialNumber'>): string {
  const text = fold(serialNumber ?? '');
  return JUNK_SERIALS.has(text) || /^(.)\1*$/u.test(text.replace(/[\s.-]/g, '')) ? '' : text;
}
