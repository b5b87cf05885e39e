/** Addresses and networks as people type them. What lies in a network is decided by `node:net`. Pure. */
import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net';

/** An address in the one form in which it is compared: `FE80:0::1` is `fe80::1`; what is no address stays as it is. */
export function canonicalAddress(text: string): string {
  const bare = text.trim().replace(/%.*$/, '');
  return isIPv6(bare) ? new SocketAddress({ address: bare, family: 'ipv6' }).address : bare;
}

/** Which addresses lie in a network. Every one that does begins with `start`. */
export type Network = { readonly start: string; readonly holds: (address: string) => boolean };

/** The network that `10.1.0.0/16` or `fd00::/8` names; null for what is none. */
export function networkOf(word: string): Network | null {
  const parts = /^([0-9a-fA-F:.]+)\/(\d{1,3})$/.exec(word);
  const [, base = '', length = ''] = parts ?? [];
  const bits = Number(length);
  if (isIPv4(base) && bits <= 32) return network4(base, bits);
  if (isIPv6(base) && bits <= 128) return network6(canonicalAddress(base), bits);
  return null;
}

/**
 * Whole octets are compared as text, and which values the next one may have is asked once for all 256: asking for
 * every address of a large fleet would take a second.
 */
function network4(base: string, bits: number): Network {
  const octets = base.split('.');
  const whole = Math.floor(bits / 8);
  const fixed = octets.slice(0, whole);
  if (whole === 4) return { start: base, holds: (address) => address === base };
  const list = new BlockList();
  list.addSubnet(base, bits, 'ipv4');
  const allowed = new Set<string>();
  for (let value = 0; value < 256; value += 1) {
    const address = [...fixed, value, 0, 0, 0].slice(0, 4).join('.');
    if (bits === 0 || list.check(address, 'ipv4')) allowed.add(String(value));
  }
  const start = fixed.map((octet) => `${octet}.`).join('');
  const next = (address: string): string => {
    const end = address.indexOf('.', start.length);
    return end === -1 ? address.slice(start.length) : address.slice(start.length, end);
  };
  return { start, holds: (address) => address.startsWith(start) && allowed.has(next(address)) };
}

function network6(base: string, bits: number): Network {
  const list = new BlockList();
  list.addSubnet(base, bits, 'ipv6');
  const known = new Map<string, boolean>();
  const checked = (address: string): boolean =>
    isIPv6(address) && (bits === 0 || list.check(address, 'ipv6'));
  const group = base.slice(0, base.indexOf(':'));
  // A group of zeros may be left out of the text.
  if (bits >= 16) return { start: group === '' || group === '0' ? '' : `${group}:`, holds: checked };
  // The first group decides, and few addresses differ in it.
  const holds = (address: string): boolean => {
    const first = address.slice(0, address.indexOf(':') + 1);
    if (first === '' || first === ':') return checked(address);
    const found = known.get(first) ?? checked(`${first}:`);
    known.set(first, found);
    return found;
  };
  return { start: '', holds };
}
