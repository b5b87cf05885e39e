/** Draws the pages of a device: heading, content and navigation. */

import { type Device, displayName } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import { context, section } from '../kit/blocks.ts';
import { boldHeading, escapeMrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { buildMessage } from '../kit/message.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { DevicePage, ReadOnlyReader } from '../models/device-model.ts';
import type { RenderedMessage } from '../models/rendered-model.ts';
import { hardwarePage } from './device-hardware.ts';
import { devicePageButtons } from './device-navigation.ts';
import { networkPage } from './device-network.ts';
import { policiesPage } from './device-policies.ts';
import { updatesPage } from './device-updates.ts';
import { volumesPage } from './device-volumes.ts';
import type { PageContent } from './page-content.ts';

/** `shared`: for a channel, so without personal data. */
export type DevicePageView = {
  readonly kind: 'device-page';
  readonly page: Exclude<DevicePage, 'facts' | 'timeline' | 'queue'>;
  readonly device: Device;
  readonly asOf: Instant;
  readonly shared?: true;
} & ReadOnlyReader;

const TITLES: Readonly<Record<DevicePageView['page'], string>> = {
  hardware: 'Hardware and system for',
  volumes: 'Volumes for',
  network: 'Network for',
  updates: 'Updates for',
  policies: 'Policies for',
};

export function renderDevicePage(view: DevicePageView): RenderedMessage {
  const { device, page, asOf } = view;
  const name = displayName(device);
  const { summary, isSaid, body } = pageContent(view);
  const title = boldHeading(TITLES[page], name);
  return buildMessage({
    text: md`${trustedMrkdwn(TITLES[page])} ${escapeMrkdwn(name)}: ${summary}.`,
    body: [
      section(isSaid ? md`${title}\n${summary}.` : title),
      ...(body.length === 0 && !isSaid ? [section(md`Nothing reported.`)] : body),
    ],
    footer: [context(md`As of ${relativeDate(asOf)}.`), ...devicePageButtons(device.id, page)],
  });
}

function pageContent({ page, device, shared = false, lookOnly }: PageViewParts): PageContent {
  switch (page) {
    case 'hardware':
      return hardwarePage(device, shared);
    case 'volumes':
      return volumesPage(device);
    case 'network':
      return networkPage(device, shared);
    case 'updates':
      return updatesPage(device);
    case 'policies':
      return policiesPage(device, lookOnly === undefined);
  }
}

type PageViewParts = Pick<DevicePageView, 'page' | 'device' | 'lookOnly'> & { readonly shared?: boolean };
