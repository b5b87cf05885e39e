/** What filters in a form match now: how many devices, and some of their names. */
import { displayName } from '../../../fleet/model/resources.ts';
import { SECOND } from '../../../lib/clock.ts';
import { quoteStructure } from '../../../lib/text.ts';
import { type DeviceFilter, PERSONAL_KEYS } from '../../targets/device-filters.ts';
import { findDevices } from '../../targets/find-devices.ts';
import { PERSON_PRIORITY } from '../../targets/resolve-device.ts';
import type { FormPorts } from './command-form.ts';

const SAMPLE = 5;
/** What devices miss is read behind the form if it takes longer. */
const PACKAGE_WAIT_MS = 2 * SECOND;

export async function matchingDevices(
  filters: readonly DeviceFilter[],
  ports: FormPorts,
): Promise<{ readonly text: string; readonly devices: number }> {
  if (ports.personalFrom !== undefined && filters.some(({ key }) => PERSONAL_KEYS.has(key)))
    return none('These filters need a higher role.');
  const snapshot = await ports.inventory.snapshot(PERSON_PRIORITY);
  const found = await findDevices(snapshot, { words: [], filters }, ports, { waitMs: PACKAGE_WAIT_MS });
  if (found.kind === 'unknown') return none(`No device has “${found.unknown.value}”.`);
  const { devices, packages } = found;
  if (packages !== null && packages.looked < packages.candidates)
    return none(
      `Packages of ${packages.looked} of ${packages.candidates} devices read so far. Press Enter again in a minute.`,
    );
  if (devices.length === 0) return none('No devices match.');
  const names = devices
    .slice(0, SAMPLE)
    .map((device) => `${quoteStructure(displayName(device))} · #${device.id}`);
  const more = devices.length > SAMPLE ? `\nand ${devices.length - SAMPLE} more` : '';
  const count = devices.length === 1 ? '1 device matches' : `${devices.length} devices match`;
  return { text: `${count} now:\n${names.join('\n')}${more}`, devices: devices.length };
}

const none = (text: string) => ({ text, devices: 0 });
