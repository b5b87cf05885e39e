/**
 * Holds alerts back from channels that became shared with another organization: to the outbox and to the watch over
 * ourselves it is as if Slack refused them there, so they wait, and admins are told.
 */
import { type Clock, type Instant, later, MINUTE } from '../clock.ts';
import { type ChannelId, isCardKey, isDirect, isPersonsDirect, readCardKey } from '../ids.ts';
import type { Reach, ReachOf } from './external.ts';
import { EXTERNALLY_SHARED, type SlackFault } from './faults.ts';
import type { SlackWatch } from './watched-web.ts';
import type { CardMessage, SlackWeb } from './web.ts';

/** How old an answer about a channel may be, so that a storm does not ask for each of its alerts. */
const KNOWN_MS = 5 * MINUTE;

export type ExternalPostsOptions = {
  readonly reachOf: ReachOf;
  readonly clock: Clock;
  readonly watch: Pick<SlackWatch, 'channelTook' | 'channelRefused'>;
};

/** The same, where alerts are not posted or edited in a channel that is external as far as Slack says. */
export function withoutExternalPosts(web: SlackWeb, options: ExternalPostsOptions): SlackWeb {
  const { watch } = options;
  const knownReach = createKnownReach(options);
  const held = new Set<ChannelId>();

  const hold = async (channel: ChannelId, message: CardMessage): Promise<SlackFault | null> => {
    if (!isAboutFleet(message) || isDirect(channel) || isPersonsDirect(channel)) return null;
    if ((await knownReach(channel)) === 'external') {
      held.add(channel);
      watch.channelRefused(channel, EXTERNALLY_SHARED);
      return { kind: 'refused', error: EXTERNALLY_SHARED };
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
 * Asks at most once in a while for each channel. What Slack does not say leaves the last answer as it is: an alert is
 * not lost by an outage, and a channel is looked at when it is subscribed.
 */
function createKnownReach({ reachOf, clock }: ExternalPostsOptions): ReachOf {
  const known = new Map<ChannelId, { readonly reach: Promise<Reach>; readonly until: Instant }>();
  return (channel) => {
    const before = known.get(channel);
    if (before !== undefined && clock.now() < before.until) return before.reach;
    const reach = reachOf(channel).then((answer) =>
      answer === 'unknown' && before !== undefined ? before.reach : answer,
    );
    known.set(channel, { reach, until: later(clock.now(), KNOWN_MS) });
    return reach;
  };
}

function isAboutFleet({ metadata }: CardMessage): boolean {
  const { key } = metadata.event_payload;
  if (typeof key !== 'string' || !isCardKey(key)) return false;
  return ['alert', 'silence', 'silent'].includes(readCardKey(key).kind);
}
