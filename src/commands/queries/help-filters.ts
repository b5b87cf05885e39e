/** What each filter of `devices` finds, with an example value of the reader's own fleet. */
import { FleetFailure } from '../../fleet/fleet.ts';
import type { IndexedDevice, Inventory } from '../../inventory/inventory.ts';
import type { HelpFilter } from '../../views/answers/help-answer.ts';
import { filterText } from '../targets/device-filters.ts';

/** Each key with what it finds, and a value for when the fleet has none. */
const FILTERS = [
  { key: 'group', description: 'in this group or its subgroups', value: 'Linux servers' },
  { key: 'os', description: 'with this operating system', value: 'Linux' },
  { key: 'tag', description: 'with this tag', value: 'web' },
  { key: 'ip', description: 'with this IP address, or in this network', value: '10.0.0.0/8' },
  { key: 'user', description: 'where this person logged in last', value: 'jane' },
  { key: 'serial', description: 'with this in the serial number', value: 'SN-1001' },
  { key: 'policy', description: 'that this policy applies to', value: 'Apply All Patches' },
  { key: 'fails', description: 'that don’t comply with this policy', value: 'Apply All Patches' },
  { key: 'version', description: 'with an agent or OS version that starts with this', value: '24.04' },
  {
    key: 'powershell',
    description: 'with this PowerShell version, or one that starts with it',
    value: '5.1',
  },
  {
    key: 'missing',
    description: 'missing this package, a patch for this CVE, or any patch of this severity',
    value: 'critical',
  },
  { key: 'in', description: 'in this saved target (see save)', value: 'web' },
  {
    key: 'is',
    description:
      'in any of these states; pending means that policies want patches, patches-available that any are available, also ignored or deferred ones, exception means excluded from reports, unmanaged means without a policy, stale means not seen for 30 days',
    value: 'offline,stale',
  },
  { key: 'sort', description: 'most recently seen first; also name, group, pending, os', value: 'seen' },
] as const satisfies readonly FilterExample[];
type FilterExample = { readonly key: string; readonly description: string; readonly value: string };

const COMBINED_FILTERS: readonly HelpFilter[] = [
  { text: '-is:online', description: '“-” negates a filter' },
  { text: 'is:offline or is:stale', description: '“or” means either, a space means both' },
];

/** The filters with values of the fleet, as far as the device index is loaded. */
export async function filterExamples({
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
    ['os', devices.find(({ osFamily }) => isQuotable(osFamily))?.osFamily ?? undefined],
    ['tag', devices.find(({ tags }) => tags?.[0])?.tags?.[0]],
    ['version', devices.find(({ agentVersion }) => isQuotable(agentVersion))?.agentVersion ?? undefined],
  ]);
  const each = FILTERS.map(({ key, description, value }) => ({
    text: key === 'is' ? `is:${value}` : filterText(key, own.get(key) ?? value),
    description,
  }));
  return [...each, ...COMBINED_FILTERS];
}

function isQuotable(text: string | null): boolean {
  return text !== null && text !== '';
}

/** Empty if the service is down: help works without it. */
async function devicesIn(snapshot: Inventory['snapshot']): Promise<readonly IndexedDevice[]> {
  try {
    return (await snapshot({ lane: 'person' })).devices;
  } catch (error) {
    if (error instanceof FleetFailure) return [];
    throw error;
  }
}
