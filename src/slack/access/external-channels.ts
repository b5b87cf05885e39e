/**
 * Holds alerts back from channels that became shared with another organization. The outbox and the health checks see
 * the refusal that Slack would give, so the alerts wait and admins are notified.
 */

import type { ConfigurationFile } from '../../config/configuration-file.ts';
import { type Clock, type Instant, later, MINUTE } from '../../lib/clock.ts';
import { type ChannelId, isCardKey, isDirectMessage, isPersonAddress, readCardKey } from '../../lib/ids.ts';
import type { SlackMonitor } from '../web-api/monitored-web.ts';
import { EXTERNALLY_SHARED_ERRORS, type SlackError } from '../web-api/slack-errors.ts';
import type { CardMessage, SlackWeb } from '../web-api/slack-web.ts';

/** How long an answer about a channel is cached, so that many alerts at once need one call. */
const REACH_TTL_MS = 5 * MINUTE;

export type ExternalPostsOptions = {
  readonly readersOf: ChannelReadersOf;
  readonly clock: Clock;
  readonly watch: Pick<SlackMonitor, 'channelTook' | 'channelRefused'>;
};

/** The same client, except that alerts are neither posted nor edited in channels that Slack reports as external. */
export function withoutExternalPosts(web: SlackWeb, options: ExternalPostsOptions): SlackWeb {
  const { watch } = options;
  const knownReach = createCachedReaders(options);
  const held = new Set<ChannelId>();

  const hold = async (channel: ChannelId, message: CardMessage): Promise<SlackError | null> => {
    if (!isCardMessage(message) || isDirectMessage(channel) || isPersonAddress(channel)) return null;
    if ((await knownReach(channel)) === 'external') {
      held.add(channel);
      watch.channelRefused(channel, EXTERNALLY_SHARED_ERRORS);
      return { kind: 'refused', error: EXTERNALLY_SHARED_ERRORS };
    }
    if (held.delete(channel)) watch.channelTook(channel);
    return null;
  };

  return {
    ...web,
    post: async (channel, message) => (await hold(channel, message)) ?? web.post(channel, message),
    update: async (place, message) => (await hold(place.channel, message)) ?? web.update(place, message),
  };
}

/**
 * Caches Slack's answer per channel. A failed call keeps the last answer: an outage must not lose an alert, and
 * subscribing checks the channel again.
 */
function createCachedReaders({ readersOf, clock }: ExternalPostsOptions): ChannelReadersOf {
  const known = new Map<ChannelId, { readonly readers: Promise<ChannelReaders>; readonly until: Instant }>();
  return (channel) => {
    const before = known.get(channel);
    if (before !== undefined && clock.now() < before.until) return before.readers;
    const readers = readersOf(channel).then((answer) =>
      answer === 'unknown' && before !== undefined ? before.readers : answer,
    );
    known.set(channel, { readers, until: later(clock.now(), REACH_TTL_MS) });
    return readers;
  };
}

function isCardMessage({ metadata }: CardMessage): boolean {
  const { key } = metadata.event_payload;
  if (typeof key !== 'string' || !isCardKey(key)) return false;
  return ['alert', 'silence', 'silent'].includes(readCardKey(key).kind);
}

/**
 * Who reads a channel. Nothing of the fleet is shared, unfurled or sent by subscription to channels that another
 * organization reads, unless the configuration file allows the channel. `unknown`: Slack did not say; treated as external.
 */
export type ChannelReaders = 'internal' | 'external' | 'unknown';
/** Also `internal` where the configuration file allows the channel. */
export type ChannelReadersOf = (channel: ChannelId) => Promise<ChannelReaders>;

export function createChannelReaders(
  web: Pick<SlackWeb, 'isExternal'>,
  allowed: ConfigurationFile['externalChannels'],
): ChannelReadersOf {
  return async (channel) => {
    if (allowed === 'allow' || allowed.includes(channel)) return 'internal';
    const answer = await web.isExternal(channel);
    if (answer.kind !== 'ok' || answer.value === null) return 'unknown';
    return answer.value ? 'external' : 'internal';
  };
}
