/** Buttons that run a command on one device. The value carries the device's id, never its name. */
import type { DeviceId, GroupId } from '../../lib/ids.ts';
import { type Button, button } from '../kit/blocks.ts';
import { writeButtonValue } from '../kit/button-value.ts';
import { formButton, runButton } from '../kit/command-buttons.ts';
import { plainName } from '../kit/escape.ts';

export type DeviceButtonTarget = { readonly id: DeviceId; readonly name: string };

/** Shows the device. `suffix` makes the action id unique where a message has several. */
export function deviceButton(id: DeviceId, label = 'Show device', suffix = ''): Button | null {
  const value = writeButtonValue({ do: 'device', device: id });
  return value === null ? null : button({ action: `device${suffix}`, label, value });
}

/** Shows the group with this ID or name. */
export function groupButton(group: GroupId | string): Button | null {
  return runButton({ action: 'group', label: 'Show group', command: 'group', input: { group } });
}

/** Opens the form that edits the group. */
export function editGroupButton(group: GroupId): Button | null {
  return formButton({ label: 'Edit', command: 'group-edit', input: { group } });
}

/** Lists the packages of the device. */
export function packagesButton({ id }: DeviceButtonTarget): Button | null {
  return runButton({
    action: 'packages',
    label: 'Show packages',
    command: 'packages',
    input: { device: id },
  });
}

/** Shows the queue of the device. */
export function queueButton({ id }: DeviceButtonTarget, label = 'Show queue'): Button | null {
  return runButton({ action: 'queue', label, command: 'queue', input: { device: id } });
}

/** Requests a scan after a confirmation. */
export function scanButton({ id, name }: DeviceButtonTarget): Button | null {
  return runButton({
    action: 'scan',
    label: 'Scan',
    command: 'scan',
    input: { device: id, reason: null },
    confirm: {
      title: 'Scan this device?',
      text: `${plainName(name)} will report its software and state. A queued command can’t be canceled.`,
      confirm: 'Scan',
    },
  });
}

/** Requests all missing patches after a confirmation. */
export function patchButton({ id, name }: DeviceButtonTarget): Button | null {
  return runButton({
    action: 'patch',
    label: 'Request patches',
    command: 'patch',
    input: { device: id, packages: [], reason: null },
    confirm: {
      title: 'Request all missing patches?',
      text: `This requests approval to install all missing patches on ${plainName(name)}.`,
      confirm: 'Request approval',
    },
  });
}

/** Requests a reboot after a confirmation. */
export function rebootButton({ id, name }: DeviceButtonTarget): Button | null {
  return runButton({
    action: 'reboot',
    label: 'Request reboot',
    command: 'reboot',
    input: { device: id, reason: null },
    style: 'danger',
    confirm: {
      title: 'Request a reboot?',
      text: `This requests approval to reboot ${plainName(name)}.`,
      confirm: 'Request approval',
      danger: true,
    },
  });
}
