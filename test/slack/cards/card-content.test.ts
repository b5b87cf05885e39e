/** What a card shows of its record and related facts. */
import { expect, it } from 'vitest';
import { createManualClock } from '../../../src/lib/clock.ts';
import { cardKey, deviceId, organizationId } from '../../../src/lib/ids.ts';
import { cardContent } from '../../../src/slack/cards/card-content.ts';
import { START } from '../../harness/builders.ts';
import { memoryStore } from '../../harness/memory-store.ts';
import { anAlert } from '../../harness/records.ts';

const clock = createManualClock(START);

it('an alert’s card names the group of its device, as far as that is known', async () => {
  const store = await memoryStore(organizationId(7));
  const known = anAlert({ deviceId: deviceId(7) });
  await store.alerts.insert(known);
  const shown = async (groupOf: (id: number) => string | null) => {
    const around = { linkTo: async () => null, groupOf, personal: false, clock };
    return (await cardContent(store, cardKey('alert', known.id), around))?.text;
  };
  expect(await shown((id) => (id === 7 ? 'Linux servers' : null))).toContain('*Group*: Linux servers');
  expect(await shown(() => null)).not.toContain('Group');
  await store.close();
});

it('an alert’s card has the version of its patch, as it was stored', async () => {
  const store = await memoryStore(organizationId(7));
  const alert = anAlert({ packages: [{ name: 'openssl', displayName: 'OpenSSL', version: '3.0.2' }] });
  await store.alerts.insert(alert);
  const around = { linkTo: async () => null, groupOf: () => null, personal: false, clock };
  const card = await cardContent(store, cardKey('alert', alert.id), around);
  expect(card?.text).toMatch(/^⛔ \*Patch failed on web-01\*: OpenSSL 3\.0\.2\n/);
  await store.close();
});
