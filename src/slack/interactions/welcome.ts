/** When the bot is added to a channel, it says in two lines what it can do there, and posts what waited for it. */

import type { ConfigurationFile } from '../../config/configuration-file.ts';
import type { ChannelId, PersonId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { View } from '../../views/model.ts';
import { renderView } from '../../views/views.ts';
import { readChannelJoined } from '../receiver/payloads.ts';
import { slackErrorText } from '../web-api/slack-errors.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';

type Purpose = Extract<View, { kind: 'welcome' }>['purpose'];

export type WelcomeOptions = {
  readonly web: SlackWeb;
  readonly botUserId: PersonId;
  readonly channels: ConfigurationFile['channels'];
  readonly root: string;
  /** Makes the cards due that wait for this channel. */
  readonly resumeCards: (channel: ChannelId) => Promise<void>;
  readonly log: Log;
};

/** Listener of `member_joined_channel`: acts when the bot itself joined. */
export function createWelcomeListener({ web, botUserId, channels, root, resumeCards, log }: WelcomeOptions) {
  return async (payload: unknown): Promise<void> => {
    const { user, channel } = readChannelJoined(payload);
    if (user !== botUserId) return;
    const message = renderView({
      kind: 'welcome',
      channel,
      purpose: channelPurpose(channels, channel),
      root,
    });
    const metadata = { event_type: 'patchbay_welcome', event_payload: {} };
    const posted = await web.post(channel, { ...message, metadata });
    if (posted.kind !== 'ok') {
      log.warn(
        { event: 'welcome.lost', channel, reason: slackErrorText(posted) },
        'could not post the welcome message',
      );
    }
    await resumeCards(channel);
  };
}

/** What the configuration file uses this channel for. */
function channelPurpose(channels: ConfigurationFile['channels'], channel: ChannelId): Purpose {
  if (channel === channels.approvals) return 'approvals';
  if (channel === channels.patchAlerts) return 'patchAlerts';
  if (channel === channels.newDevices) return 'newDevices';
  return 'none';
}
