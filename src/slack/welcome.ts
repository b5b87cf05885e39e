/** When the bot is added to a channel it says in two lines what it can do there. */
import type { ChannelId, PersonId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Policy } from '../policy.ts';
import type { View } from '../views/model.ts';
import { render } from '../views/render.ts';
import { faultText } from './faults.ts';
import { readJoined } from './payloads.ts';
import type { SlackWeb } from './web.ts';

type Purpose = Extract<View, { kind: 'welcome' }>['purpose'];

export type WelcomeOptions = {
  readonly web: SlackWeb;
  readonly botUserId: PersonId;
  readonly channels: Policy['channels'];
  readonly root: string;
  readonly log: Log;
};

/** Listener of `member_joined_channel`: says hello when it is about the bot itself. */
export function createWelcome({ web, botUserId, channels, root, log }: WelcomeOptions) {
  return async (payload: unknown): Promise<void> => {
    const { user, channel } = readJoined(payload);
    if (user !== botUserId) return;
    const message = render({ kind: 'welcome', channel, purpose: purposeOf(channels, channel), root });
    const metadata = { event_type: 'patchbay_welcome', event_payload: {} };
    const posted = await web.post(channel, { ...message, metadata });
    if (posted.kind !== 'ok') {
      log.warn(
        { event: 'welcome.lost', channel, reason: faultText(posted) },
        'could not post the welcome message',
      );
    }
  };
}

/** What the configuration file uses this channel for. */
function purposeOf(channels: Policy['channels'], channel: ChannelId): Purpose {
  if (channel === channels.approvals) return 'approvals';
  if (channel === channels.patchAlerts) return 'patchAlerts';
  if (channel === channels.newDevices) return 'newDevices';
  return 'none';
}
