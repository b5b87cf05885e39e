/** The name of a device's operating system as people say it. Pure. */
import type { Device } from './model.ts';

/** `11 Pro`, `10 Enterprise LTSC`, `Server 2022 Standard`: how Windows names begin without their family. */
const WINDOWS_NAME =
  /^(?:(?:xp|vista|7|8|8\.1|1\d) +(?:pro|home|enterprise|education|business|ultimate|iot|se)\b|server +(?:20|19)\d\d\b)/i;

/**
 * As far as it is stated: name and version, else the family; null where the service says nothing. The service
 * leaves the family out of Windows names (`11 Pro`, `Server 2022 Standard`), where people do not. Events state
 * no family (§2.8), so a Windows name is known by its form there.
 */
export function systemName({
  osFamily,
  osName,
  osVersion,
}: Pick<Device, 'osFamily' | 'osName'> & Partial<Pick<Device, 'osVersion'>>): string | null {
  const named = [osName, osVersion ?? null].filter((part) => part !== null && part !== '').join(' ');
  if (named === '') return osFamily === '' ? null : osFamily;
  const isWindows =
    osFamily === null || osFamily === '' ? WINDOWS_NAME.test(named) : osFamily.toLowerCase() === 'windows';
  const unsaid = isWindows && !named.toLowerCase().includes('windows');
  return unsaid ? `Windows ${named}` : named;
}
