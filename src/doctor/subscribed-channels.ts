/** Checks the channels with subscriptions. Those of the configuration file are checked in `slack.ts`. */
import { existsSync } from 'node:fs';
import type { WebClient } from '@slack/web-api';
import type { Config } from '../config/config.ts';
import type { ChannelId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import { createClients } from '../slack/web-api/clients.ts';
import { readIsExternal } from '../slack/web-api/paged-reads.ts';
import { readSlackError, slackErrorText } from '../slack/web-api/slack-errors.ts';
import { subscribedChannels } from '../store/admin/inspect-database.ts';
import { type Finding, okFinding, slackRemedy, warnFinding } from './finding.ts';

/** More would take over a minute: Slack allows about 50 calls of `conversations.info` a minute. */
const MAX_CHECKED = 40;
const CHECK_NAME = 'subscribed channels';

type CheckedConfig = Pick<Config, 'database' | 'slack'> & {
  readonly configuration: Pick<Config['configuration'], 'channels' | 'externalChannels'>;
};

/** Warns of channels shared with other organizations and of those that Slack does not show. Empty if the database cannot be read. */
export async function checkSubscribedChannels(config: CheckedConfig, log: Log): Promise<readonly Finding[]> {
  const { database, configuration } = config;
  if (database.kind === 'sqlite' && !existsSync(database.path)) return [];
  const fixed: readonly ChannelId[] = Object.values(configuration.channels);
  // The check of the database reports why it cannot be read.
  const all = await subscribedChannels(database).catch(() => []);
  const channels = all.filter((channel) => /^[CG]/.test(channel) && !fixed.includes(channel));
  if (channels.length === 0) return [];
  const { reads } = createClients(config.slack, log);
  const found: Finding[] = [];
  for (const channel of channels.slice(0, MAX_CHECKED))
    found.push(...(await checkSubscribedChannel(channel, configuration, reads)));
  if (found.length > 0) return found;
  const looked = `checked ${Math.min(channels.length, MAX_CHECKED)} of ${channels.length}`;
  return [okFinding(CHECK_NAME, `${looked}, no alerts held back`)];
}

async function checkSubscribedChannel(
  channel: ChannelId,
  { externalChannels }: CheckedConfig['configuration'],
  reads: WebClient,
): Promise<readonly Finding[]> {
  if (externalChannels === 'allow' || externalChannels.includes(channel)) return [];
  try {
    if ((await readIsExternal(reads, channel)) !== true) return [];
    const remedy = 'unsubscribe the channel, or add its id to externalChannels in the configuration file';
    return [
      warnFinding(
        CHECK_NAME,
        `${channel} is shared with another organization: its alerts are held back`,
        remedy,
      ),
    ];
  } catch (error) {
    const fault = readSlackError(error);
    const remedy = slackRemedy(fault, 'invite the bot to the channel, or unsubscribe the channel');
    return [warnFinding(CHECK_NAME, `${channel}: ${slackErrorText(fault)}`, remedy)];
  }
}
