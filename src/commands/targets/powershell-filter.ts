/** The filter `powershell:`: devices with this version of PowerShell, which the device index does not hold. */
import { FleetFailure, type FleetReader } from '../../fleet/fleet.ts';
import type { DeviceId } from '../../lib/ids.ts';
import type { DeviceFilter } from './device-filters.ts';
import { PERSON_PRIORITY } from './resolve-device.ts';

/** `of`: the version of each device that was listed with one. `others`: whether others fit; null: unknown. */
export type ShellVersions = { readonly of: ReadonlyMap<DeviceId, string>; readonly others: false | null };

/** Whether it is this version or one that starts with it: `5.1` finds 5.1.22621, and not 5.10. */
export function hasShellVersion(version: string | undefined, value: string): boolean | undefined {
  return version === value || version?.startsWith(`${value}.`);
}

/**
 * The versions that decide the filters; undefined where none asks. Throws FleetFailure. Assumption (§4.5): how the service
 * compares versions is not documented, and newer descriptions have a number that selects nothing. So the version in each
 * row decides, and all devices are listed unless the service's choice has a longer version that starts with this one.
 */
export async function readShellVersions(
  filters: readonly DeviceFilter[],
  fleet: Pick<FleetReader, 'devices'>,
): Promise<ShellVersions | undefined> {
  const asked = filters.filter(({ key }) => key === 'powershell');
  const [value, ...more] = new Set(asked.map((filter) => filter.value));
  if (value === undefined) return undefined;
  if (more.length === 0 && !asked.some(({ negated }) => negated)) {
    const of = await listVersions(fleet, { shellVersion: value });
    if ([...of.values()].some((version) => version.startsWith(`${value}.`))) return { of, others: false };
  }
  return { of: await listVersions(fleet, {}), others: null };
}

async function listVersions(
  fleet: Pick<FleetReader, 'devices'>,
  query: { readonly shellVersion?: string },
): Promise<ShellVersions['of']> {
  const versions = new Map<DeviceId, string>();
  let [listed, detailed] = [0, 0];
  const pages = fleet.devices({ ...query, withDetails: true, withoutPolicyStatus: true }, PERSON_PRIORITY);
  for await (const { rows } of pages) {
    for (const { id, detail } of rows) {
      listed += 1;
      if (detail === null) continue;
      detailed += 1;
      if (detail.shellVersion !== null) versions.set(id, detail.shellVersion);
    }
  }
  if (listed > 0 && detailed === 0) throw new FleetFailure(NO_DETAILS);
  return versions;
}

const NO_DETAILS = {
  kind: 'unreadable',
  method: 'GET',
  path: '/servers',
  status: null,
  detail: 'its list of devices has no PowerShell versions',
} as const;
