/** Alerts for a channel that became shared with another organization. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createManualClock, MINUTE, type MovableClock } from '../../../src/lib/clock.ts';
import { type ChannelId, cardKey, channelId, messageTs } from '../../../src/lib/ids.ts';
import type { ChannelReaders } from '../../../src/slack/access/external-channels.ts';
import { withoutExternalPosts } from '../../../src/slack/access/external-channels.ts';
import { isChannelRefused } from '../../../src/slack/web-api/slack-errors.ts';
import type { CardMessage, SlackWeb } from '../../../src/slack/web-api/slack-web.ts';
import { troublePlainText } from '../../../src/views/status/trouble-text.ts';
import { START } from '../../harness/builders.ts';
import { createFakeSlackWeb } from '../harness/fake-slack-web.ts';

const OPS = channelId('C0OPS');
const HELD = { kind: 'refused', error: 'externally_shared' };

let clock: MovableClock;
let web: SlackWeb;
let reach: ChannelReaders;
let requests: ChannelId[];
/** Channels that the health checks count as refusing. */
let refusing: Map<ChannelId, string>;

beforeEach(() => {
  clock = createManualClock(START);
  reach = 'internal';
  requests = [];
  refusing = new Map();
  web = withoutExternalPosts(
    createFakeSlackWeb(() => clock.now()),
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

  it.each(['approval:a_1', 'told:operation:o_1', 'trouble:t_1'])('still gets %s', async (key) => {
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
