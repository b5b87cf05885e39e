/** What a card shows of its record and related facts. */
import { expect, it } from 'vitest';
import { cardKey, deviceId, organizationId } from '../../../src/lib/ids.ts';
import { cardContent } from '../../../src/slack/cards/card-content.ts';
import { memoryStore } from '../../harness/memory-store.ts';
import { anAlert } from '../../harness/records.ts';

it('an alert’s card names the group of its device, as far as that is known', async () => {
  const store = await memoryStore(organizationId(7));
  const known = anAlert({ deviceId: deviceId(7) });
  await store.alerts.insert(known);
  const shown = async (groupOf: (id: number) => string | null) => {
    const around = { linkTo: async () => null, groupOf, personal: false };
    return (await cardContent(store, cardKey('alert', known.id), around))?.text;
  };
  expect(await shown((id) => (id === 7 ? 'Linux servers' : null))).toContain('*Group*: Linux servers');
  expect(await shown(() => null)).not.toContain('Group');
  await store.close();
});
