/** Addresses and networks as people type them. `node:net` checks membership of IPv6 networks. Pure. */
import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net';

/** The canonical form of an address: `FE80:0::1` becomes `fe80::1`; other text stays as it is. */
export function canonicalAddress(text: string): string {
  const trimmed = text.trim();
  // Only addresses have a zone: `50%` is a part of a name.
  const bare = trimmed.replace(/%.*$/, '');
  return isIPv6(bare) ? new SocketAddress({ address: bare, family: 'ipv6' }).address : trimmed;
}

/** The first 32 bits of an address: all of an IPv4 address. */
export type LeadingBits = { readonly family: 4 | 6; readonly number: number };

/** A network. Every address in it begins with `start`. */
export type Network = {
  readonly start: string;
  readonly contains: (address: string) => boolean;
  /** How many leading bits of an address must equal those of `leading`. */
  readonly bits: number;
  readonly leading: LeadingBits;
};

/** The network in `10.1.0.0/16` or `fd00::/8`; null when the word is not one. */
export function parseNetwork(word: string): Network | null {
  const parts = /^([0-9a-fA-F:.]+)\/(\d{1,3})$/.exec(word);
  const [, base = '', length = ''] = parts ?? [];
  const bits = Number(length);
  const leading = parts === null ? null : leadingBitsOf(canonicalAddress(base));
  if (leading === null) return null;
  if (isIPv4(base) && bits <= 32) return { ...ipv4Matcher(base, bits), bits, leading };
  if (isIPv6(base) && bits <= 128) return { ...ipv6Matcher(canonicalAddress(base), bits), bits, leading };
  return null;
}

/** The leading bits of an address in canonical form; null for other text. */
export function leadingBitsOf(address: string): LeadingBits | null {
  const number = parseIpv4(address, 0, address.length);
  if (number !== null) return { family: 4, number };
  // `::` stands for any number of zero groups, at least one.
  if (!address.includes(':') || !isIPv6(address)) return null;
  const [first = '', second = ''] = address.split(':');
  return { family: 6, number: (parseIpv6Group(first) << 16) | parseIpv6Group(second) };
}

const [ZERO, NINE, DOT] = [48, 57, 46];

/**
 * The number of the IPv4 address in the text from `from` to `to`; null when there is none. Works letter by letter: a
 * start reads every address of a large fleet, and splitting the texts would take most of that time.
 */
export function parseIpv4(text: string, from: number, to: number): number | null {
  let [number, octet, digits, dots] = [0, 0, 0, 0];
  for (let at = from; at < to; at += 1) {
    const char = text.charCodeAt(at);
    if (char >= ZERO && char <= NINE) {
      // No leading zeros: some programs would read the number as octal.
      if (digits > 0 && octet === 0) return null;
      octet = octet * 10 + char - ZERO;
      digits += 1;
      if (octet > 255) return null;
    } else if (char === DOT && digits > 0 && dots < 3) {
      number = (number << 8) | octet;
      [octet, digits, dots] = [0, 0, dots + 1];
    } else return null;
  }
  return dots === 3 && digits > 0 ? (number << 8) | octet : null;
}

const parseIpv6Group = (text: string): number => (text === '' ? 0 : Number.parseInt(text, 16));

/** Whether two numbers share their first `bits` bits, from 0 to 32. */
export function haveSamePrefix(a: number, b: number, bits: number): boolean {
  return bits === 0 || (a ^ b) >>> (32 - bits) === 0;
}

type NetworkMatcher = Pick<Network, 'start' | 'contains'>;

function ipv4Matcher(base: string, bits: number): NetworkMatcher {
  const octets = base.split('.');
  const whole = Math.floor(bits / 8);
  const start =
    whole === 4
      ? base
      : octets
          .slice(0, whole)
          .map((octet) => `${octet}.`)
          .join('');
  const wanted = leadingBitsOf(base)?.number ?? 0;
  const contains = (address: string): boolean => {
    const leading = address.startsWith(start) ? leadingBitsOf(address) : null;
    return leading !== null && leading.family === 4 && haveSamePrefix(leading.number, wanted, bits);
  };
  return { start, contains };
}

function ipv6Matcher(base: string, bits: number): NetworkMatcher {
  const list = new BlockList();
  list.addSubnet(base, bits, 'ipv6');
  const known = new Map<string, boolean>();
  const checked = (address: string): boolean =>
    isIPv6(address) && (bits === 0 || list.check(address, 'ipv6'));
  const first = base.slice(0, base.indexOf(':'));
  // A group of zeros may be missing in the text.
  if (bits >= 16) return { start: first === '' || first === '0' ? '' : `${first}:`, contains: checked };
  // The first group decides, and few addresses differ in it.
  const contains = (address: string): boolean => {
    const first = address.slice(0, address.indexOf(':') + 1);
    if (first === '' || first === ':') return checked(address);
    const found = known.get(first) ?? checked(`${first}:`);
    known.set(first, found);
    return found;
  };
  return { start: '', contains };
}
