import { describe, expect, it } from 'vitest';
import { alertId, cardKey, channelId, messageTs, personId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { checkView } from '../../../src/sandbox/slack/validate/payload-rules.ts';
import { createCardLinkCache, createPublishHome } from '../../../src/slack/home/app-home.ts';
import type { SlackError, SlackResult } from '../../../src/slack/web-api/slack-errors.ts';
import type { HomeTab } from '../../../src/views/home/home-tab.ts';
import { START } from '../../harness/builders.ts';
import { memoryStore } from '../../harness/memory-store.ts';
import { renderedHome, wordsOf } from '../../views/home/home-facts.ts';

const ANN = personId('U0ANN');
const OK = { kind: 'ok', value: null } as const;
const refusal = (error: string): SlackError => ({ kind: 'refused', error });

async function publish(...endings: SlackResult<null>[]) {
  const tabs: HomeTab[] = [];
  const web = {
    publishHome: async (_person: typeof ANN, tab: HomeTab) => {
      tabs.push(tab);
      return endings.shift() ?? OK;
    },
  };
  return { ended: await createPublishHome(web, silentLog)(ANN, renderedHome()), tabs };
}

describe('a Home that Slack takes', () => {
  it('is published once, as it is drawn', async () => {
    expect(await publish()).toEqual({ ended: OK, tabs: [renderedHome()] });
  });
});

describe('a Home whose blocks Slack refuses', () => {
  it.each(['invalid_blocks', 'invalid_arguments', 'view_too_large'])(
    'comes as sections of text alone after %s',
    async (word) => {
      const { ended, tabs } = await publish(refusal(word));
      expect(ended).toEqual(OK);
      const [, plain] = tabs;
      expect(plain?.blocks.map(({ type, accessory }) => [type, accessory])).toEqual(
        plain?.blocks.map(() => ['section', undefined]),
      );
      expect(checkView(plain, 'home')).toEqual([]);
    },
  );

  it('contains all its texts, without buttons', async () => {
    const { tabs } = await publish(refusal('invalid_blocks'));
    const shown = JSON.stringify(tabs[1]?.blocks);
    expect(shown).toContain('Patchbay is healthy');
    expect(shown).toContain('All changes are paused');
    expect(shown).toContain('shown without buttons');
    expect(wordsOf()).not.toContain('shown without buttons');
  });

  it('ends as the second attempt ends', async () => {
    const { ended, tabs } = await publish(refusal('invalid_blocks'), refusal('invalid_blocks'));
    expect(ended).toEqual(refusal('invalid_blocks'));
    expect(tabs).toHaveLength(2);
  });
});

it.each<SlackError>([
  refusal('not_enabled'),
  { kind: 'throttled', retryAfterMs: 1_000 },
  { kind: 'uncertain', detail: 'timeout', inFlight: true },
])('keeps its form after %o, which is not about its blocks', async (fault) => {
  const { ended, tabs } = await publish(fault);
  expect(ended).toEqual(fault);
  expect(tabs).toHaveLength(1);
});

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
