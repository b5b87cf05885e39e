/** From one page of a device to the others: they take each other's place on a private message. */
import type { DeviceId } from '../../ids.ts';
import { actions } from '../kit/blocks.ts';
import { runButton } from '../kit/run-button.ts';
import type { Block } from '../model.ts';
import type { DevicePage } from '../models/device-model.ts';

/** In the order of the buttons. */
const LABELS: Readonly<Record<DevicePage, string>> = {
  facts: 'Facts',
  hardware: 'Hardware',
  volumes: 'Volumes',
  network: 'Network',
  updates: 'Updates',
  policies: 'Policies',
  timeline: 'Timeline',
  queue: 'Queue',
};

/** A button for each page but those that need none here. */
export function deviceNav(device: DeviceId, ...without: readonly DevicePage[]): readonly Block[] {
  const pages = Object.entries(LABELS).filter(([page]) => !without.some((one) => one === page));
  return actions(
    ...pages.map(([page, label]) =>
      runButton({ action: `page:${page}`, label, command: 'device', input: { device, page } }),
    ),
  );
}
