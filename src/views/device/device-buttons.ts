/** Buttons that run a command on one device. The value carries the device's id, never its name. */
import type { DeviceId, GroupId } from '../../ids.ts';
import { type Button, button } from '../kit/blocks.ts';
import { writeButtonValue } from '../kit/button-value.ts';
import { cut, oneLine } from '../kit/escape.ts';
import { SHOWN } from '../kit/limits.ts';
import { formButton, runButton } from '../kit/run-button.ts';

export type ButtonDevice = { readonly id: DeviceId; readonly name: string };

/** Shows the device. `suffix` tells apart several of them in one message. */
export function deviceButton(id: DeviceId, label = 'Device', suffix = ''): Button | null {
  const value = writeButtonValue({ do: 'device', device: id });
  return value === null ? null : button({ action: `device${suffix}`, label, value });
}

/** Shows the group of this number, or of this name. */
export function groupButton(group: GroupId | string): Button | null {
  return runButton({ action: 'group', label: 'Group', command: 'group', input: { group } });
}

/** Opens the form that edits the device, or the group. */
export function editButton(command: 'device-edit' | 'group-edit', input: object): Button | null {
  return formButton({ label: 'Edit', command, input });
}

export function packagesButton({ id }: ButtonDevice): Button | null {
  return runButton({ action: 'packages', label: 'Packages', command: 'packages', input: { device: id } });
}

export function queueButton({ id }: ButtonDevice): Button | null {
  return runButton({ action: 'queue', label: 'Queue', command: 'queue', input: { device: id } });
}

export function scanButton({ id, name }: ButtonDevice): Button | null {
  return runButton({
    action: 'scan',
    label: 'Scan',
    command: 'scan',
    input: { device: id, reason: null },
    confirm: {
      title: 'Scan this device?',
      text: `${label(name)} will report its software and state anew. A queued command cannot be cancelled.`,
      confirm: 'Scan',
    },
  });
}

export function patchButton({ id, name }: ButtonDevice): Button | null {
  return runButton({
    action: 'patch',
    label: 'Install missing',
    command: 'patch',
    input: { device: id, packages: [], reason: null },
    confirm: {
      title: 'Ask for all missing patches?',
      text: `This asks for approval to install everything missing on ${label(name)}.`,
      confirm: 'Ask for approval',
    },
  });
}

export function rebootButton({ id, name }: ButtonDevice): Button | null {
  return runButton({
    action: 'reboot',
    label: 'Reboot',
    command: 'reboot',
    input: { device: id, reason: null },
    style: 'danger',
    confirm: {
      title: 'Ask for a reboot?',
      text: `This asks for approval to reboot ${label(name)}.`,
      confirm: 'Ask for approval',
      danger: true,
    },
  });
}

/** A name short enough to leave room for the sentence around it. */
function label(name: string): string {
  return cut(oneLine(name), SHOWN.label);
}
