/** Checks of the channels that alerts go to by subscription, beside those of the configuration file. */
import { existsSync } from 'node:fs';
import type { WebClient } from '@slack/web-api';
import type { Config } from '../config.ts';
import type { ChannelId } from '../ids.ts';
import type { Log } from '../log.ts';
import { createClients } from '../slack/clients.ts';
import { faultText, readFault } from '../slack/faults.ts';
import { isExternal } from '../slack/web-pages.ts';
import { subscribedChannels } from '../store/inspect.ts';
import { type Finding, ok, warn } from './check.ts';
import { slackRemedy } from './slack-remedy.ts';

/** More would take longer than anybody waits: `conversations.info` may be called about 50 times a minute. */
const MOST = 40;
const NAME = 'subscribed channels';

type Checked = Pick<Config, 'database' | 'slack'> & {
  readonly policy: Pick<Config['policy'], 'channels' | 'externalChannels'>;
};

/** Those that other organizations read, or that Slack does not show; nothing where the database cannot be read. */
export async function checkSubscribed(config: Checked, log: Log): Promise<readonly Finding[]> {
  const { database, policy } = config;
  if (database.kind === 'sqlite' && !existsSync(database.path)) return [];
  const fixed: readonly ChannelId[] = Object.values(policy.channels);
  // The check of the database says why it cannot be read.
  const all = await subscribedChannels(database).catch(() => []);
  const channels = all.filter((channel) => /^[CG]/.test(channel) && !fixed.includes(channel));
  if (channels.length === 0) return [];
  const { reads } = createClients(config.slack, log);
  const found: Finding[] = [];
  for (const channel of channels.slice(0, MOST)) found.push(...(await checkOne(channel, policy, reads)));
  if (found.length > 0) return found;
  const looked = `checked ${Math.min(channels.length, MOST)} of ${channels.length}`;
  return [ok(NAME, `${looked}, no alerts held back`)];
}

async function checkOne(
  channel: ChannelId,
  { externalChannels }: Checked['policy'],
  reads: WebClient,
): Promise<readonly Finding[]> {
  if (externalChannels === 'allow' || externalChannels.includes(channel)) return [];
  try {
    if ((await isExternal(reads, channel)) !== true) return [];
    const remedy = 'unsubscribe the channel, or add its id to externalChannels in the configuration file';
    return [warn(NAME, `${channel} is shared with another organization: its alerts are held back`, remedy)];
  } catch (error) {
    const fault = readFault(error);
    const remedy = slackRemedy(fault, 'invite the bot to the channel, or unsubscribe the channel');
    return [warn(NAME, `${channel}: ${faultText(fault)}`, remedy)];
  }
}
