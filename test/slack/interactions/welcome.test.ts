import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/lib/clock.ts';
import { channelId, personId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createWelcomeListener } from '../../../src/slack/slack.ts';
import { createFakeSlackWeb } from '../harness/fake-slack-web.ts';

const BOT = personId('U0BOT');
const ALERTS = channelId('C0ALERTS');

function listener() {
  const web = createFakeSlackWeb(() => instant(0));
  const resumed: string[] = [];
  const onJoined = createWelcomeListener({
    web,
    botUserId: BOT,
    channels: { approvals: channelId('C0APPROVALS'), patchAlerts: ALERTS, newDevices: channelId('C0NEW') },
    root: '/fleet',
    resumeCards: async (channel) => void resumed.push(channel),
    log: silentLog,
  });
  const joins = (user: string) => onJoined({ type: 'member_joined_channel', user, channel: ALERTS });
  return { web, resumed, joins };
}

describe('an invitation to a channel', () => {
  it('posts what waits for the channel after the welcome, also where that was lost', async () => {
    const { web, resumed, joins } = listener();
    await joins(BOT);
    expect([web.messages.length, resumed]).toEqual([1, [ALERTS]]);
    web.next('post', { kind: 'uncertain', detail: 'HTTP 500', inFlight: false });
    await joins(BOT);
    expect([web.messages.length, resumed]).toEqual([1, [ALERTS, ALERTS]]);
  });

  it('of somebody else does nothing', async () => {
    const { web, resumed, joins } = listener();
    await joins('U0OPERATOR');
    expect([web.posts(), resumed]).toEqual([0, []]);
  });
});
