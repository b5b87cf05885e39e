/**
 * Channels that became shared with another organization. Alerts are held back from them: the outbox and the health checks
 * see the refusal that Slack would give, so the alerts wait and admins are notified. Cards of requests are shortened there,
 * and admins are notified, too.
 */
import type { ConfigurationFile } from '../../config/configuration-file.ts';
import { type Clock, type Instant, later, MINUTE } from '../../lib/clock.ts';
import {
  type CardKind,
  type ChannelId,
  isCardKey,
  isDirectMessage,
  isPersonAddress,
  readCardKey,
} from '../../lib/ids.ts';
import { renderSharedCard } from '../../views/requests/request-answers.ts';
import type { SlackMonitor } from '../web-api/monitored-web.ts';
import { EXTERNALLY_SHARED_ERRORS, REQUESTS_SHORTENED, type SlackResult } from '../web-api/slack-errors.ts';
import type { CardMessage, SlackWeb } from '../web-api/slack-web.ts';

/** How long an answer about a channel is cached, so that many alerts at once need one call. */
export const READERS_TTL_MS = 5 * MINUTE;

export type ExternalPostsOptions = {
  readonly readersOf: ChannelReadersOf;
  readonly clock: Clock;
  readonly watch: Pick<SlackMonitor, 'channelTook' | 'channelRefused'>;
};

/** In channels that Slack reports as external no alert or line is posted or edited, and cards of requests say only that one waits. */
export function withoutExternalPosts(web: SlackWeb, options: ExternalPostsOptions): SlackWeb {
  const { watch } = options;
  const knownReach = createCachedReaders(options);
  const held = new Set<ChannelId>();

  let home: string | null = null;

  const send = async <T>(
    channel: ChannelId,
    message: CardMessage,
    job: (message: CardMessage) => Promise<SlackResult<T>>,
  ): Promise<SlackResult<T>> => {
    const kind = cardKindOf(message);
    if (kind === null || isDirectMessage(channel) || isPersonAddress(channel)) return job(message);
    if ((await knownReach(channel)) !== 'external') {
      if (held.delete(channel)) watch.channelTook(channel);
      return job(message);
    }
    held.add(channel);
    if (kind !== 'approval' && kind !== 'operation') {
      watch.channelRefused(channel, EXTERNALLY_SHARED_ERRORS);
      return { kind: 'refused', error: EXTERNALLY_SHARED_ERRORS };
    }
    const { key, state } = message.metadata.event_payload;
    const metadata = { ...message.metadata, event_payload: { key: key ?? '', state: state ?? '' } };
    const { plain: _, ...rest } = message;
    const sent = await job({ ...rest, ...renderSharedCard(state === 'waiting', home), metadata });
    watch.channelRefused(channel, REQUESTS_SHORTENED);
    return sent;
  };

  return {
    ...web,
    identity: async () => {
      const found = await web.identity();
      if (found.kind !== 'ok') return found;
      const { appId, teamId } = found.value;
      // Opens the app (docs.slack.dev/interactivity/deep-linking).
      home = appId && `https://slack.com/app_redirect?app=${appId}&team=${teamId}&tab=home`;
      return found;
    },
    post: (channel, message) => send(channel, message, (shown) => web.post(channel, shown)),
    update: (place, message) => send(place.channel, message, (shown) => web.update(place, shown)),
  };
}

/** Caches Slack's answer per channel. A failed call keeps the last answer: an outage must not lose an alert. */
function createCachedReaders({ readersOf, clock }: ExternalPostsOptions): ChannelReadersOf {
  const known = new Map<ChannelId, { readonly readers: Promise<ChannelReaders>; readonly until: Instant }>();
  return (channel) => {
    const before = known.get(channel);
    if (before !== undefined && clock.now() < before.until) return before.readers;
    const readers = readersOf(channel).then((answer) =>
      answer === 'unknown' && before !== undefined ? before.readers : answer,
    );
    known.set(channel, { readers, until: later(clock.now(), READERS_TTL_MS) });
    return readers;
  };
}

/** Cards with facts of the fleet, or of what was requested. */
const FLEET_CARDS: readonly CardKind[] = [
  'alert',
  'silence',
  'silent',
  'approval',
  'operation',
  'line',
  'nudge',
];

/** Null: none of these. */
function cardKindOf({ metadata }: CardMessage): CardKind | null {
  const { key } = metadata.event_payload;
  if (typeof key !== 'string' || !isCardKey(key)) return null;
  const { kind } = readCardKey(key);
  return FLEET_CARDS.includes(kind) ? kind : null;
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
