/** The search text of a device: its fields in their comparable form, one after the other; and what is read from it. Pure. */
import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net';
import type { Device } from '../../fleet/model/resources.ts';
import { fold } from '../../lib/text.ts';

/** Stands between fields. No folded text contains it, and `.` in a regular expression does not match it. */
export const FIELD_MARK = '\n';
/** Stands before each address. */
export const ADDRESS_MARK = '\r';

/** What people leave out of a name, add to it, or mix up. */
export const SEPARATORS: readonly string[] = ['-', '.', '_', ' '];

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

type RowWithText = { readonly searchText: string };

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

/** What these texts match beside its names, for whoever may see it. The texts are read once for all rows. */
export function matchedBeside(texts: readonly string[]) {
  const known = texts.map((text) => ({
    text,
    isUser: userContains(text),
    isSerial: serialContains(text),
    isAddress: hasAddress(text),
  }));
  return (row: RowWithText) => {
    const beside = known.filter(({ text }) => !nameContains(row, text));
    const isIn = (one: string) =>
      beside.some(({ isAddress }) => isAddress?.({ searchText: ADDRESS_MARK + one }));
    return {
      userName: beside.some(({ isUser }) => isUser(row)) ? loggedInUserIn(row) : null,
      serialNumber: beside.some(({ isSerial }) => isSerial(row)) ? serialNumberIn(row) : null,
      addresses: addressesOf(row).filter(isIn),
    };
  };
}

/** An address in the one form in which it is compared: `FE80:0::1` is `fe80::1`; any other text stays as it is. */
export function canonicalAddress(text: string): string {
  const trimmed = text.trim();
  // Only addresses have a zone: `50%` is a part of a name.
  const bare = trimmed.replace(/%.*$/, '');
  return isIPv6(bare) ? new SocketAddress({ address: bare, family: 'ipv6' }).address : trimmed;
}

export type Network = {
  /** Every search text with an address in the network contains it. */
  readonly hint: string;
  /** Whether a search text has an address in the network. */
  readonly isIn: (searchText: string) => boolean;
};

/** The network that `10.1.0.0/16` or `fd00::/8` names; null for any other text. */
export function parseNetwork(word: string): Network | null {
  const [, base = '', length = ''] = /^([0-9a-fA-F:.]+)\/(\d{1,3})$/.exec(word) ?? [];
  const bits = Number(length);
  if (isIPv4(base) && bits <= 32) return ipv4Network(base, bits);
  return isIPv6(base) && bits <= 128 ? ipv6Network(canonicalAddress(base), bits) : null;
}

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';

/** A regular expression finds its addresses: `10.16.0.0/12` is `10.`, one of 16 to 31, and two octets. */
function ipv4Network(base: string, bits: number): Network {
  const octets = base.split('.').map(Number);
  const whole = Math.floor(bits / 8);
  const patterns = octets.map((octet, at) => {
    if (at < whole) return `${octet}`;
    if (at > whole || bits % 8 === 0) return OCTET;
    const size = 2 ** (8 - (bits % 8));
    const first = octet - (octet % size);
    return `(?:${Array.from({ length: size }, (_, next) => first + next).join('|')})`;
  });
  const pattern = new RegExp(`${ADDRESS_MARK}${patterns.join('\\.')}(?![^${ADDRESS_MARK}])`, 'g');
  const hint = [ADDRESS_MARK, ...base.split(/(?<=\.)/).slice(0, whole)].join('');
  return {
    hint,
    isIn(text) {
      // `indexOf` skips what stands before the first such address faster than the expression does.
      pattern.lastIndex = Math.max(text.indexOf(hint), 0);
      return pattern.test(text);
    },
  };
}

/** `node:net` decides. Its check is slow: for a wide network its answers are kept by the first group of an address. */
function ipv6Network(base: string, bits: number): Network {
  const list = new BlockList();
  list.addSubnet(base, bits, 'ipv6');
  const check = (address: string): boolean => isIPv6(address) && (bits === 0 || list.check(address, 'ipv6'));
  const answers = new Map<string, boolean>();
  const contains = (address: string): boolean => {
    const first = address.slice(0, address.indexOf(':') + 1);
    if (first === '') return false;
    if (bits >= 16 || first === ':') return check(address);
    const answer = answers.get(first) ?? check(`${first}:`);
    answers.set(first, answer);
    return answer && isIPv6(address);
  };
  const first = base.slice(0, base.indexOf(':') + 1);
  // A group of zeros may be left out of the text.
  const start = bits < 16 || first === ':' || first === '0:' ? '' : first;
  const hint = start === '' ? ':' : ADDRESS_MARK + start;
  return { hint, isIn: (text) => text.includes(hint) && someAddress(text, start, contains) };
}

/** Whether a search text has an address that begins with `start` and is wanted. */
function someAddress(text: string, start: string, isWanted: (address: string) => boolean): boolean {
  for (
    let at = text.indexOf(ADDRESS_MARK + start);
    at !== -1;
    at = text.indexOf(ADDRESS_MARK + start, at + 1)
  ) {
    const end = text.indexOf(ADDRESS_MARK, at + 1);
    if (isWanted(end === -1 ? text.slice(at + 1) : text.slice(at + 1, end))) return true;
  }
  return false;
}

const FIELD_EDGE = FIELD_MARK.charCodeAt(0);
const ADDRESS_EDGE = ADDRESS_MARK.charCodeAt(0);

/** Whether no field has a character at this index: there is a mark, or the text has ended. */
export function isFieldEdge(text: string, at: number): boolean {
  if (at < 0 || at >= text.length) return true;
  const char = text.charCodeAt(at);
  return char === FIELD_EDGE || char === ADDRESS_EDGE;
}

/** ASCII letters and digits, and everything beyond ASCII; by its character code. */
export function isWordCharacter(char: number): boolean {
  return (char >= 48 && char <= 57) || (char >= 97 && char <= 122) || char > 127;
}
