/** The page of a device's addresses and network cards. Addresses are left out where the answer is shared. */
import type { Device, NetworkCard } from '../../fleet/model/resources.ts';
import { context, rowBlocks } from '../kit/blocks.ts';
import { bold, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { type Column, renderTable } from '../kit/table.ts';
import { countText, listMrkdwn, listPlain } from '../text/common-text.ts';
import { present, statedFields, statedText } from '../text/stated-facts.ts';
import type { PageContent } from './page-content.ts';

const BUDGET = 6_000;
const MAX_ADDRESSES = 20;

/** The content of the page. `shared`: without addresses. */
export function networkPage(device: Device, shared: boolean): PageContent {
  const { addresses, privateAddresses, detail } = device;
  const reported = detail === null ? [] : detail.addresses;
  const known = new Set([...addresses, ...privateAddresses]);
  const others = reported.filter((address) => !known.has(address));
  const cards = detail === null ? [] : detail.networkCards;
  const own = [
    { label: 'Public addresses', value: addressList(addresses) },
    { label: 'Private addresses', value: addressList(privateAddresses) },
    { label: 'Other reported addresses', value: addressList(others) },
  ];
  const more = (left: number) => md`${left} more network cards not shown.`;
  const fallback = rowBlocks(
    cards.map((card) => networkRow(card, shared)),
    { budget: BUDGET, more },
  );
  const cardCount = countText(cards.length, 'network card');
  const names = { label: 'Domain names', value: addressList(detail === null ? [] : detail.domainNames) };
  return {
    summary: shared
      ? cardCount
      : md`${countText(known.size + others.length, 'address', 'addresses')}, ${cardCount}`,
    body: [
      ...statedFields([...(shared ? [] : own), names]),
      ...(cards.length === 0
        ? [context(md`The agent hasn’t reported any network cards.`)]
        : [
            renderTable(cards, {
              columns: shared ? SHARED_NOTE : [...SHARED_NOTE, ...PRIVATE_NOTE],
              fallback,
              more,
            }),
          ]),
      ...(shared ? [context(md`Addresses are hidden here.`)] : []),
    ],
  };
}

const SHARED_NOTE: readonly Column<NetworkCard>[] = [
  { title: 'Network card', cell: nameCell, max: DISPLAY_LIMIT.name, wraps: true },
  { title: 'Connection', cell: ({ connected }) => connectionStateText(connected) },
];
const PRIVATE_NOTE: readonly Column<NetworkCard>[] = [
  {
    title: 'Addresses',
    cell: ({ addresses }) => listPlain(addresses, MAX_ADDRESSES),
    max: DISPLAY_LIMIT.sentence / 2,
    wraps: true,
  },
  { title: 'MAC', cell: ({ mac }) => mac },
];

function nameCell({ device, type, vendor }: NetworkCard): string {
  return [device, type, vendor].filter((part) => part !== null && part !== '').join(', ');
}

function connectionStateText(connected: boolean | null): string | null {
  if (connected === null) return null;
  return connected ? 'connected' : 'not connected';
}

function addressList(items: readonly string[]): Mrkdwn | null {
  return items.length === 0 ? null : listMrkdwn(items, MAX_ADDRESSES);
}

function networkRow(
  { device, type, vendor, mac, addresses, connected }: NetworkCard,
  shared: boolean,
): Mrkdwn {
  const kinds = present(statedText(type, DISPLAY_LIMIT.label), statedText(vendor, DISPLAY_LIMIT.label));
  const state = connectionStateText(connected);
  const states = state === null ? [] : [trustedMrkdwn(state)];
  const title = joinMrkdwn([bold(device ?? '', DISPLAY_LIMIT.label), ...kinds, ...states], ' · ');
  const number = statedText(mac, DISPLAY_LIMIT.label);
  const own = present(number === null ? null : md`MAC ${number}`, addressList(addresses));
  return shared || own.length === 0 ? title : md`${title}\n${joinMrkdwn(own, ' · ')}`;
}
