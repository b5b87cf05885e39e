/** The name of a device's operating system as people say it. Pure. */
import type { Device } from './model.ts';

/**
 * As far as it is stated: name and version, else the family; null where the service says nothing. The service
 * leaves the family out of Windows names (`11 Pro`, `Server 2022 Standard`), where people do not.
 */
export function systemName({
  osFamily,
  osName,
  osVersion,
}: Pick<Device, 'osFamily' | 'osName'> & Partial<Pick<Device, 'osVersion'>>): string | null {
  const named = [osName, osVersion ?? null].filter((part) => part !== null && part !== '').join(' ');
  if (named === '') return osFamily === '' ? null : osFamily;
  const unsaid = osFamily?.toLowerCase() === 'windows' && !named.toLowerCase().includes('windows');
  return unsaid ? `Windows ${named}` : named;
}
