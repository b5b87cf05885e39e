/** Addresses and network cards of a device. Addresses are for the one who asks. */
import type { NetworkCard } from '../fleet/device-parts.ts';
import type { Device } from '../fleet/model.ts';
import { context, fields, lines } from './blocks.ts';
import type { PageContent } from './device-pages.ts';
import { joined, literal, type Mrkdwn, md, strong } from './escape.ts';
import { SHOWN } from './limits.ts';
import { count, listed } from './words.ts';

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
    ...(others.length === 0 ? [] : [{ label: 'Other addresses, as reported', value: all(others) }]),
  ];
  const names = { label: 'Domain names', value: all(detail === null ? [] : detail.domainNames) };
  return {
    sum: md`${count(known.size + others.length, 'address', 'addresses')}, ${count(cards.length, 'network card')}`,
    body: [
      ...fields([...(shared ? [] : own), names]),
      ...lines(
        cards.map((card) => row(card, shared)),
        { budget: BUDGET, more: (left) => md`${left} more network cards did not fit.` },
      ),
      ...(shared ? [context(md`Addresses are not shown here.`)] : []),
    ],
  };
}

function all(items: readonly string[]): Mrkdwn {
  return items.length === 0 ? md`None stated` : listed(items, MOST_ADDRESSES);
}

function row({ device, type, vendor, mac, addresses, connected }: NetworkCard, shared: boolean): Mrkdwn {
  const kinds = [type, vendor].flatMap((word) =>
    word === null || word === '' ? [] : [literal(word, SHOWN.label)],
  );
  const state =
    connected === null ? md`connection not stated` : connected ? md`connected` : md`not connected`;
  const title = joined([strong(device ?? '', SHOWN.label), ...kinds, state], ' · ');
  if (shared) return title;
  const card = mac === null || mac === '' ? md`MAC not stated` : md`MAC ${literal(mac, SHOWN.label)}`;
  const has = addresses.length === 0 ? md`no address` : listed(addresses, MOST_ADDRESSES);
  return md`${title}\n${card} · ${has}`;
}
