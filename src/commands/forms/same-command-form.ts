/** The form of a command that is the same for every device: `scan` and `reboot`. */
import type { CommandForm } from './shared/command-form.ts';
import { deviceForm } from './shared/device-form.ts';
import { withSeenDevices } from './shared/seen-devices-form.ts';
import { type SeveralDevicesFormOptions, withSeveralDevices } from './shared/several-devices-form.ts';

/** `title`: of the form for one device; `several`: of that for several. */
export function sameCommandForm({
  several,
  ...options
}: SeveralDevicesFormOptions & { readonly several: string }): CommandForm {
  return withSeenDevices(withSeveralDevices(deviceForm(options), { ...options, title: several }));
}
