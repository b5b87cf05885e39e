/** The pages of one device beside its card: each a heading, what it is about, and the way to the others. */
import { displayName } from '../../fleet/model.ts';
import { context, section } from '../kit/blocks.ts';
import { heading, literal, type Mrkdwn, md, trusted } from '../kit/escape.ts';
import { type Body, message } from '../kit/message.ts';
import { when } from '../kit/when.ts';
import type { RenderedMessage } from '../model.ts';
import type { DevicePageView } from '../models/device-model.ts';
import { hardware } from './device-hardware.ts';
import { deviceNav } from './device-nav.ts';
import { network } from './device-network.ts';
import { policies } from './device-policies.ts';
import { updates } from './device-updates.ts';
import { volumes } from './device-volumes.ts';

type PageView = Extract<DevicePageView, { kind: 'device-page' }>;

/** What a page shows: `sum` goes on after the device's name for those who hear it, and where it `isSaid` for all. */
export type PageContent = { readonly sum: Mrkdwn; readonly isSaid?: true; readonly body: Body };

const TITLES: Readonly<Record<PageView['page'], string>> = {
  hardware: 'Hardware and system for',
  volumes: 'Volumes for',
  network: 'Network for',
  updates: 'Updates for',
  policies: 'Policies for',
};

export function renderDevicePage(view: PageView): RenderedMessage {
  const { device, page, asOf } = view;
  const name = displayName(device);
  const { sum, isSaid, body } = content(view);
  const title = heading(TITLES[page], name);
  return message({
    text: md`${trusted(TITLES[page])} ${literal(name)}: ${sum}.`,
    body: [
      section(isSaid ? md`${title}\n${sum}.` : title),
      ...(body.length === 0 && !isSaid ? [section(md`Nothing reported.`)] : body),
    ],
    end: [context(md`As of ${when(asOf)}.`), ...deviceNav(device.id, page)],
  });
}

function content({ page, device, shared = false, lookOnly }: PageViewParts): PageContent {
  switch (page) {
    case 'hardware':
      return hardware(device, shared);
    case 'volumes':
      return volumes(device);
    case 'network':
      return network(device, shared);
    case 'updates':
      return updates(device);
    case 'policies':
      return policies(device, lookOnly === undefined);
  }
}

type PageViewParts = Pick<PageView, 'page' | 'device' | 'lookOnly'> & { readonly shared?: boolean };
