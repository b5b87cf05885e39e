/** Buttons that run a command on one device. The value carries the device's id, never its name. */
import type { DeviceId, GroupId } from '../../lib/ids.ts';
import { actions, type Button, button, context, type Menu, menu, menuOption } from '../kit/blocks.ts';
import { type ButtonValue, formButton, runButton, writeButtonValue } from '../kit/buttons.ts';
import { md } from '../kit/escape.ts';
import type { Block } from '../kit/limits.ts';
import type { DevicePage, ListChanges } from '../models/list-model.ts';

/** Shows the device. `suffix` makes the action id unique where a message has several. */
export function deviceButton(id: DeviceId, label = 'Device', suffix = ''): Button | null {
  const value = writeButtonValue({ do: 'device', device: id });
  return value === null ? null : button({ action: `device${suffix}`, label, value });
}

export function groupButton(group: GroupId | string): Button | null {
  return runButton({ action: 'group', label: 'Group', command: 'group', input: { group } });
}

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

/** Buttons and menu that lead between a device's card and its pages. In a private message each replaces the other. */
export const MORE = 'more';

const PAGE_LABELS: Readonly<Record<Exclude<DevicePage, 'facts'>, string>> = {
  hardware: 'Hardware',
  volumes: 'Volumes',
  network: 'Network',
  updates: 'Updates',
  policies: 'Policies',
  timeline: 'Timeline',
  queue: 'Queue',
};
const PAGES = ['hardware', 'volumes', 'network', 'updates', 'policies', 'timeline', 'queue'] as const;

/** The row below a page: a button for the card and a menu of the other pages. */
export function devicePageButtons(device: DeviceId, page: DevicePage): readonly Block[] {
  const input = { device, page: 'facts' };
  return actions(
    runButton({ action: 'page:facts', label: 'Device', command: 'device', input }),
    moreMenu(device, { without: page }),
  );
}

type MoreOptions = {
  readonly without: DevicePage;
  readonly edit?: boolean;
};

export function moreMenu(device: DeviceId, { without, edit = false }: MoreOptions): Menu {
  const pages = PAGES.filter((page) => page !== without).map((page) =>
    option(PAGE_LABELS[page], { do: 'device', device, page }),
  );
  const form = option('Edit', { do: 'form', command: 'device-edit', input: { device } });
  const options = (edit ? [...pages, form] : pages).filter((one) => one !== null);
  return menu({ action: MORE, placeholder: 'More', options, chosen: undefined });
}

function option(label: string, value: ButtonValue) {
  return menuOption({ value: writeButtonValue(value) ?? '', label });
}

/** Buttons below a list of devices: each opens the form of a change, filled with all devices of the list. */
const TOO_MANY = md`Too many devices to patch or reboot from here. Narrow the list first.`;

/** Empty where the reader may not request changes. */
export function listChangeBlocks(changes: ListChanges | undefined): readonly Block[] {
  if (changes === undefined) return [];
  if (changes.kind === 'too-many') return [context(TOO_MANY)];
  const { patch } = changes;
  return actions(
    patch === null ? null : changeButton(changes, 'patch', 'Patch', patch),
    changeButton(changes, 'reboot', 'Reboot'),
    changeButton(changes, 'scan', 'Scan'),
  );
}

function changeButton(
  { devices, target, isPart }: Extract<ListChanges, { kind: 'offered' }>,
  command: string,
  verb: string,
  own: object = {},
): Button | null {
  const which = devices === 1 ? 'this device' : `these ${devices}`;
  const label = isPart === true ? `${verb} ${which} so far` : `${verb} ${which}`;
  return formButton({ action: `form:${command}`, label, command, input: { ...target, ...own } });
}
