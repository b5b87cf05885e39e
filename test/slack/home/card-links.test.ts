import { expect, it } from 'vitest';
import { alertId, cardKey, channelId, messageTs } from '../../../src/lib/ids.ts';
import { createCardLinkCache } from '../../../src/slack/home/app-home.ts';
import { START } from '../../harness/builders.ts';
import { memoryStore } from '../../harness/memory-store.ts';

const ALERTS = channelId('C0ALERTS');
const first = alertId('first');

it('links an alert that was added to the card of an earlier one to that card', async () => {
  const store = await memoryStore();
  await store.cards.enqueue({
    key: cardKey('alert', first),
    channel: ALERTS,
    fallbackPerson: null,
    dueAt: START,
  });
  await store.cards.recordPosted(cardKey('alert', first), {
    channel: ALERTS,
    ts: messageTs('1.2'),
    revision: 1,
  });
  for (const alert of [first, alertId('second')])
    await store.deliveries.add({ alertId: alert, channel: ALERTS, card: first, silence: null });
  const linksTo = createCardLinkCache(store, { permalink: async ({ ts }) => `https://slack/${ts}` });
  const keys = [first, alertId('second'), alertId('held')].map((id) => cardKey('alert', id));
  expect([...(await linksTo(keys))]).toEqual([
    [keys[0], 'https://slack/1.2'],
    [keys[1], 'https://slack/1.2'],
  ]);
});
