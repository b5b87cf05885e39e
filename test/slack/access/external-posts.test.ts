/** Alerts for a channel that became shared with another organization. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createManualClock, MINUTE, type MovableClock } from '../../../src/lib/clock.ts';
import { type ChannelId, cardKey, channelId, messageTs } from '../../../src/lib/ids.ts';
import { type ChannelReaders, withoutExternalPosts } from '../../../src/slack/access/external-channels.ts';
import { isChannelRefused } from '../../../src/slack/web-api/slack-errors.ts';
import type { CardMessage, SlackWeb } from '../../../src/slack/web-api/slack-web.ts';
import { troublePlainText } from '../../../src/views/status/trouble-text.ts';
import { START } from '../../harness/builders.ts';
import { createFakeSlackWeb, type FakeSlackWeb } from '../harness/fake-slack-web.ts';

const OPS = channelId('C0OPS');
const HELD = { kind: 'refused', error: 'externally_shared' };

let clock: MovableClock;
let web: SlackWeb;
let fake: FakeSlackWeb;
let reach: ChannelReaders;
let requests: ChannelId[];
/** Channels that the health checks count as refusing. */
let refusing: Map<ChannelId, string>;

beforeEach(() => {
  clock = createManualClock(START);
  reach = 'internal';
  requests = [];
  refusing = new Map();
  fake = createFakeSlackWeb(() => clock.now());
  const identity = async () => {
    const found = await fake.identity();
    return found.kind === 'ok' ? { ...found, value: { ...found.value, appId: 'A1' } } : found;
  };
  web = withoutExternalPosts(
    { ...fake, identity },
    {
      clock,
      readersOf: async (channel) => {
        requests.push(channel);
        return reach;
      },
      watch: {
        channelTook: (channel) => void refusing.delete(channel),
        channelRefused: (channel, error) => void refusing.set(channel, error),
      },
    },
  );
});

const card = (key: string): CardMessage => ({
  text: key,
  blocks: [],
  metadata: { event_type: 'patchbay_card', event_payload: { key, state: 'firing' } },
});
const ALERT = cardKey('alert', 'a_1');
const post = (key: string = ALERT, channel = OPS) => web.post(channel, card(key));

describe('a channel that becomes shared with another organization', () => {
  it('gets no alert from then on, and counts as one that refuses them', async () => {
    expect((await post()).kind).toBe('ok');
    reach = 'external';
    await clock.advance(5 * MINUTE);
    expect(await post()).toEqual(HELD);
    expect(isChannelRefused(HELD.error)).toBe(true);
    expect([...refusing]).toEqual([[OPS, 'externally_shared']]);
  });

  it('gets no additions to the alerts that it shows', async () => {
    reach = 'external';
    const place = { channel: OPS, ts: messageTs('1.000001') };
    expect(await web.update(place, card(ALERT))).toEqual(HELD);
  });

  it('gets held alerts once it is private again', async () => {
    reach = 'external';
    await post();
    reach = 'internal';
    expect(await post()).toEqual(HELD);
    await clock.advance(5 * MINUTE);
    expect((await post()).kind).toBe('ok');
    expect([...refusing]).toEqual([]);
  });

  it.each(['approval:a_1', 'operation:o_1'])('gets only that a request waits, for %s', async (key) => {
    const full = { ...card(key), text: 'Reboot web-01', blocks: [{ type: 'divider' }], plain: [] };
    const waiting: CardMessage = {
      ...full,
      metadata: { event_type: 'patchbay_card', event_payload: { key, state: 'waiting', counts: { a: 3 } } },
    };
    await web.identity();
    const before = await web.post(OPS, waiting);
    if (before.kind !== 'ok') throw new Error('not posted');
    expect(JSON.stringify(fake.messages)).toContain('web-01');
    reach = 'external';
    await clock.advance(5 * MINUTE);
    expect((await web.update(before.value, waiting)).kind).toBe('ok');
    expect((await web.post(OPS, waiting)).kind).toBe('ok');
    const shown = JSON.stringify(fake.messages);
    expect(shown).not.toContain('web-01');
    expect(shown).not.toContain('counts');
    expect(fake.messages.map(({ text }) => text)).toEqual(['⏳ A request waits.', '⏳ A request waits.']);
    expect(shown).toContain('https://slack.com/app_redirect?app=A1&amp;team=T1');
    expect([...refusing]).toEqual([[OPS, 'requests_shortened']]);
    reach = 'internal';
    await clock.advance(5 * MINUTE);
    await web.update(before.value, waiting);
    expect(fake.messages[0]?.text).toBe('Reboot web-01');
    expect([...refusing]).toEqual([]);
  });

  it('gets no lines in the threads of rollouts', async () => {
    reach = 'external';
    expect(await post('line:o_1/0/paused')).toEqual(HELD);
  });

  it.each(['told:operation:o_1', 'trouble:t_1'])('still gets %s', async (key) => {
    reach = 'external';
    expect((await post(key)).kind).toBe('ok');
    expect(requests).toEqual([]);
  });
});

describe('asking Slack who reads a channel', () => {
  it('is done once for a storm of alerts, and for each channel', async () => {
    await Promise.all(Array.from({ length: 50 }, () => post()));
    await post(cardKey('alert', 'a_2'), channelId('C0OTHER'));
    expect(requests).toEqual([OPS, 'C0OTHER']);
  });

  it('is not done for direct messages', async () => {
    reach = 'external';
    for (const direct of ['D0ANN', 'U0ANN']) expect((await post(ALERT, channelId(direct))).kind).toBe('ok');
    expect(requests).toEqual([]);
  });

  it.each([
    ['external', 'refused'],
    ['internal', 'ok'],
  ] as const)('leaves a channel %s where Slack does not answer', async (before, expected) => {
    reach = before;
    await post();
    reach = 'unknown';
    await clock.advance(5 * MINUTE);
    expect((await post()).kind).toBe(expected);
  });

  it('loses no alert where Slack never answered', async () => {
    reach = 'unknown';
    expect((await post()).kind).toBe('ok');
  });
});

it('admins learn in plain words what to do', () => {
  const trouble = { kind: 'channel-refuses', channel: OPS, error: 'externally_shared', cards: 3 } as const;
  const said = troublePlainText({ trouble, since: START });
  expect(said).toContain(
    'No alerts are posted in C0OPS, which is shared with another organization: 3 held since',
  );
  expect(said).toContain('add its ID to externalChannels in the configuration file and restart Patchbay');
});
