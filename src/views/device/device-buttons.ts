/** Buttons that run a command on one device. The value carries the device's id, never its name. */
import type { DeviceId, GroupId } from '../../lib/ids.ts';
import { type Button, button } from '../kit/blocks.ts';
import { writeButtonValue } from '../kit/button-value.ts';
import { formButton, runButton } from '../kit/command-buttons.ts';

/** Shows the device. `suffix` makes the action id unique where a message has several. */
export function deviceButton(id: DeviceId, label = 'Device', suffix = ''): Button | null {
  const value = writeButtonValue({ do: 'device', device: id });
  return value === null ? null : button({ action: `device${suffix}`, label, value });
}

/** Shows the group with this ID or name. */
export function groupButton(group: GroupId | string): Button | null {
  return runButton({ action: 'group', label: 'Group', command: 'group', input: { group } });
}

/** Opens the form that edits the group. */
export function editGroupButton(group: GroupId): Button | null {
  return formButton({ label: 'Edit', command: 'group-edit', input: { group } });
}

export function packagesButton(device: DeviceId): Button | null {
  return runButton({ action: 'packages', label: 'Packages', command: 'packages', input: { device } });
}

export function queueButton(device: DeviceId, label = 'Queue'): Button | null {
  return runButton({ action: 'queue', label, command: 'queue', input: { device } });
}

export function scanButton(device: DeviceId): Button | null {
  return runButton({ action: 'scan', label: 'Scan', command: 'scan', input: { device, reason: null } });
}

/** Opens the form, where the packages are chosen: at first all that are missing. */
export function patchButton(device: DeviceId): Button | null {
  return formButton({ action: 'patch', label: 'Request patches', command: 'patch', input: { device } });
}

export function rebootButton(device: DeviceId): Button | null {
  const input = { device, reason: null };
  return runButton({ action: 'reboot', label: 'Request reboot', command: 'reboot', input, style: 'danger' });
}
