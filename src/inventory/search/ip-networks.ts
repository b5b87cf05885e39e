/** Addresses and networks as people type them. Pure. */
import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net';
import { ADDRESS_MARK } from './characters.ts';

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
export function someAddress(text: string, start: string, isWanted: (address: string) => boolean): boolean {
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
