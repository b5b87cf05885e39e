/**
 * What thousands of devices have in common, as one text and back. The text needs no escapes in JSON, which would make
 * every start slower: its parts are percent-encoded, with `|` between them and `,` between those of a list.
 */
import { type IndexedDevice, idsText, type Shared } from './row.ts';

export type Common = Pick<
  IndexedDevice,
  | 'osFamily'
  | 'osName'
  | 'osVersion'
  | 'agentVersion'
  | 'tags'
  | 'policyIds'
  | 'failingIds'
  | 'connected'
  | 'needsReboot'
  | 'pending'
  | 'compliant'
  | 'exception'
  | 'needsAttention'
>;

/** No value, and a list of none: the encoding leaves no such sign in a value. */
const NONE = '?';
const [YES, NO] = ['+', '-'];
const FLAGS = /^[-+?]{6}$/;

export function writeCommon(row: Common): string {
  const system = [row.osFamily, row.osName, row.osVersion, row.agentVersion].map(written);
  const tags = row.tags.length === 0 ? NONE : row.tags.map(written).join(',');
  const policies = row.policyIds === null ? NONE : idsText(row.policyIds);
  return [...system, tags, policies, idsText(row.failingIds), writeFlags(row)].join('|');
}

/** Null where the text says no such thing. */
export function readCommon(text: string, shared: Shared): Common | null {
  const [osFamily, osName, osVersion, agent, tags, policies, failing, flags] = text.split('|');
  if (agent === undefined || tags === undefined || policies === undefined || failing === undefined)
    return null;
  if (flags === undefined || !FLAGS.test(flags)) return null;
  try {
    const word = (part = NONE): string | null => shared.word(read(part));
    return {
      osFamily: word(osFamily),
      osName: word(osName),
      osVersion: word(osVersion),
      agentVersion: word(agent),
      tags: shared.words(tags === NONE ? [] : tags.split(',').map(decodeURIComponent)),
      policyIds: policies === NONE ? null : shared.ids(policies),
      failingIds: shared.ids(failing),
      connected: readFlag(flags[0]),
      needsReboot: readFlag(flags[1]),
      pending: readFlag(flags[2]),
      compliant: readFlag(flags[3]),
      exception: readFlag(flags[4]),
      needsAttention: readFlag(flags[5]),
    };
  } catch {
    // Not what we encoded.
    return null;
  }
}

function written(value: string | null): string {
  return value === null ? NONE : encodeURIComponent(value.toWellFormed());
}

function read(part: string): string | null {
  return part === NONE ? null : decodeURIComponent(part);
}

function writeFlags(row: Common): string {
  return [row.connected, row.needsReboot, row.pending, row.compliant, row.exception, row.needsAttention]
    .map((flag) => (flag === null ? NONE : flag ? YES : NO))
    .join('');
}

function readFlag(sign: string | undefined): boolean | null {
  return sign === YES ? true : sign === NO ? false : null;
}
