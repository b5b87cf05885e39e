/** Buttons and menu that lead between a device's card and its pages. In a private message each replaces the other. */
import type { DeviceId } from '../../lib/ids.ts';
import { actions, type Menu, menu } from '../kit/blocks.ts';
import { writeButtonValue } from '../kit/button-value.ts';
import { runButton } from '../kit/command-buttons.ts';
import { menuOption } from '../kit/options.ts';
import type { DevicePage } from '../models/device-model.ts';
import type { Block, ButtonValue } from '../models/rendered-model.ts';

/** Action id of the menu. */
export const MORE = 'more';

/** Labels of the pages in the menu. */
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
  /** The page to leave out of the menu. */
  readonly without: DevicePage;
  /** Whether the menu offers the form that edits the device. */
  readonly edit?: boolean;
};

/** The More menu: the pages of the device and the edit form. */
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
