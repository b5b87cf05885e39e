/** What each filter of `devices` finds, in a line, with a value of the reader's own fleet. */
import { FleetFailure } from '../fleet/fleet.ts';
import type { IndexedDevice, Inventory } from '../inventory/inventory.ts';
import type { HelpFilter } from '../views/models/help-model.ts';
import { filterText } from './targets/device-filters.ts';

/** Each key with what it finds and, where the fleet has no better one, a value. */
const FILTERS = [
  { key: 'group', words: 'in this group or its subgroups', value: 'Linux servers' },
  { key: 'os', words: 'with this operating system', value: 'Linux' },
  { key: 'tag', words: 'with this tag', value: 'web' },
  { key: 'ip', words: 'with this IP address, or in this network', value: '10.0.0.0/8' },
  { key: 'user', words: 'where this person logged in last', value: 'jane' },
  { key: 'serial', words: 'with this in the serial number', value: 'SN-1001' },
  { key: 'policy', words: 'that this policy applies to', value: 'Apply All Patches' },
  { key: 'fails', words: 'that don’t comply with this policy', value: 'Apply All Patches' },
  { key: 'version', words: 'with an agent or OS version that starts with this', value: '24.04' },
  { key: 'in', words: 'in this saved target (see save)', value: 'web' },
  {
    key: 'is',
    words: 'in any of these states; stale means not seen for 30 days',
    value: 'offline,stale',
  },
  { key: 'sort', words: 'most recently seen first; also name, group, pending, os', value: 'seen' },
] as const satisfies readonly HelpFilterOf[];
type HelpFilterOf = { readonly key: string; readonly words: string; readonly value: string };

const JOINED: readonly HelpFilter[] = [
  { text: '-is:online', words: '“-” negates a filter' },
  { text: 'is:offline or is:stale', words: '“or” means either, a space means both' },
];

/** The filters with names that there are, as far as the index has been read. */
export async function filtersHelp({
  snapshot,
  suggest,
}: Pick<Inventory, 'snapshot' | 'suggest'>): Promise<readonly HelpFilter[]> {
  const devices = await devicesIn(snapshot);
  const first = (kind: 'group' | 'policy') => suggest(kind, '', 1)[0]?.label;
  const policy = first('policy');
  const own = new Map<string, string | undefined>([
    ['group', first('group')],
    ['policy', policy],
    ['fails', policy],
    ['os', devices.find(({ osFamily }) => isSaid(osFamily))?.osFamily ?? undefined],
    ['tag', devices.find(({ tags }) => tags.length > 0)?.tags[0]],
    ['version', devices.find(({ agentVersion }) => isSaid(agentVersion))?.agentVersion ?? undefined],
  ]);
  const each = FILTERS.map(({ key, words, value }) => ({
    text: key === 'is' ? `is:${value}` : filterText(key, own.get(key) ?? value),
    words,
  }));
  return [...each, ...JOINED];
}

function isSaid(text: string | null): boolean {
  return text !== null && text !== '';
}

/** Help is there also while the service is not. */
async function devicesIn(snapshot: Inventory['snapshot']): Promise<readonly IndexedDevice[]> {
  try {
    return (await snapshot({ lane: 'person' })).devices;
  } catch (error) {
    if (error instanceof FleetFailure) return [];
    throw error;
  }
}
