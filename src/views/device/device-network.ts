/** Addresses and network cards of a device. Addresses are for the one who asks. */
import type { NetworkCard } from '../../fleet/device-parts.ts';
import type { Device } from '../../fleet/model.ts';
import { context, lines } from '../kit/blocks.ts';
import { joined, type Mrkdwn, md, strong, trusted } from '../kit/escape.ts';
import { SHOWN } from '../kit/limits.ts';
import { type Column, table } from '../kit/table.ts';
import { present, statedFields, statedText } from '../stated.ts';
import { count, listed, listedPlain } from '../words.ts';
import type { PageContent } from './device-pages.ts';

const BUDGET = 6_000;
const MOST_ADDRESSES = 20;

export function network(device: Device, shared: boolean): PageContent {
  const { addresses, privateAddresses, detail } = device;
  const reported = detail === null ? [] : detail.addresses;
  const known = new Set([...addresses, ...privateAddresses]);
  const others = reported.filter((address) => !known.has(address));
  const cards = detail === null ? [] : detail.networkCards;
  const own = [
    { label: 'Public addresses', value: all(addresses) },
    { label: 'Private addresses', value: all(privateAddresses) },
    { label: 'Other reported addresses', value: all(others) },
  ];
  const more = (left: number) => md`${left} more network cards not shown.`;
  const instead = lines(
    cards.map((card) => row(card, shared)),
    { budget: BUDGET, more },
  );
  const cardCount = count(cards.length, 'network card');
  const names = { label: 'Domain names', value: all(detail === null ? [] : detail.domainNames) };
  return {
    sum: shared ? cardCount : md`${count(known.size + others.length, 'address', 'addresses')}, ${cardCount}`,
    body: [
      ...statedFields([...(shared ? [] : own), names]),
      ...(cards.length === 0
        ? [context(md`The agent hasn’t reported any network cards.`)]
        : [table(cards, { columns: shared ? SHARED : [...SHARED, ...OWN], instead, more })]),
      ...(shared ? [context(md`Addresses are hidden here.`)] : []),
    ],
  };
}

const SHARED: readonly Column<NetworkCard>[] = [
  { title: 'Network card', cell: nameCell, max: SHOWN.name, wraps: true },
  { title: 'Connection', cell: ({ connected }) => stateWords(connected) },
];
const OWN: readonly Column<NetworkCard>[] = [
  {
    title: 'Addresses',
    cell: ({ addresses }) => listedPlain(addresses, MOST_ADDRESSES),
    max: SHOWN.sentence / 2,
    wraps: true,
  },
  { title: 'MAC', cell: ({ mac }) => mac },
];

function nameCell({ device, type, vendor }: NetworkCard): string {
  return [device, type, vendor].filter((part) => part !== null && part !== '').join(' · ');
}

function stateWords(connected: boolean | null): string | null {
  if (connected === null) return null;
  return connected ? 'connected' : 'not connected';
}

function all(items: readonly string[]): Mrkdwn | null {
  return items.length === 0 ? null : listed(items, MOST_ADDRESSES);
}

function row({ device, type, vendor, mac, addresses, connected }: NetworkCard, shared: boolean): Mrkdwn {
  const kinds = present(statedText(type, SHOWN.label), statedText(vendor, SHOWN.label));
  const state = stateWords(connected);
  const states = state === null ? [] : [trusted(state)];
  const title = joined([strong(device ?? '', SHOWN.label), ...kinds, ...states], ' · ');
  const number = statedText(mac, SHOWN.label);
  const own = present(number === null ? null : md`MAC ${number}`, all(addresses));
  return shared || own.length === 0 ? title : md`${title}\n${joined(own, ' · ')}`;
}
