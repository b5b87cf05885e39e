/**
 * Channels that another organization reads, too: nothing of the fleet is shared, shown below links or sent by
 * subscription there, unless the configuration file says so.
 */
import type { ChannelId } from '../ids.ts';
import type { Policy } from '../policy.ts';
import type { SlackWeb } from './web.ts';

/** `unknown`: Slack does not say, so it counts as external. */
export type Reach = 'internal' | 'external' | 'unknown';
/** `internal` also where the configuration file allows the channel. */
export type ReachOf = (channel: ChannelId) => Promise<Reach>;

export function createReach(web: Pick<SlackWeb, 'isExternal'>, allowed: Policy['externalChannels']): ReachOf {
  return async (channel) => {
    if (allowed === 'allow' || allowed.includes(channel)) return 'internal';
    const answer = await web.isExternal(channel);
    if (answer.kind !== 'ok' || answer.value === null) return 'unknown';
    return answer.value ? 'external' : 'internal';
  };
}
