/** The Events API: sends what the manifest subscribes to, and retries what was not acknowledged. */
import { type Clock, later, MINUTE, type Timer } from '../../../lib/clock.ts';
import type { WorkspaceCore } from '../core/core.ts';
import type { JsonObject } from '../core/json-object.ts';
import { messageObject } from '../objects/messages-and-views.ts';
import type { Message, Timeline } from '../state/timeline.ts';
import type { Deliver, DeliveryOutcome, DeliveryRequest, RetryReason } from './delivery.ts';

/** The events that the bot subscribes to, with the scope that each needs (docs.slack.dev/reference/events). */
export const EVENT_SCOPES: Readonly<Record<string, string | null>> = {
  app_home_opened: null,
  app_mention: 'app_mentions:read',
  link_shared: 'links:read',
  // Of public channels: nobody joins the private one.
  member_joined_channel: 'channels:read',
  'message.im': 'im:history',
};

/** At once, after a minute, after five (docs.slack.dev/apis/events-api). */
const RETRY_AFTER_MS: readonly number[] = [0, MINUTE, 5 * MINUTE];

type EventsApiOptions = Pick<WorkspaceCore, 'app' | 'clock' | 'ids' | 'manifest'> & {
  readonly deliver: Deliver;
};
export function createEventsApi({ app, clock, ids, manifest, deliver }: EventsApiOptions) {
  let generation = 0;

  const attempt = async (
    payload: JsonObject,
    born: number,
    attempts = 0,
    reason?: RetryReason,
  ): Promise<void> => {
    if (born !== generation) return;
    const retry = reason === undefined ? {} : { retry: { attempt: attempts, reason } };
    const outcome = await deliver({ kind: 'events_api', payload, ...retry });
    const pause = RETRY_AFTER_MS[attempts];
    if (outcome.kind === 'acknowledged' || outcome.final === true || pause === undefined) return;
    // The clock does not wait for it: one silent bot must not delay an `advance` by three seconds of wall time.
    clock.at(later(clock.now(), pause), () => void attempt(payload, born, attempts + 1, outcome.reason));
  };

  return {
    announce(subscription: string, event: JsonObject) {
      const scope = EVENT_SCOPES[subscription] ?? null;
      if (!manifest.events.has(subscription) || (scope !== null && !manifest.scopes.has(scope))) return;
      void attempt(eventPayload(event, { app, clock, ids }), generation);
    },
    /** Drops pending retries. */
    reset() {
      generation += 1;
    },
  };
}

function eventPayload(
  event: JsonObject,
  { app, clock, ids }: Pick<WorkspaceCore, 'app' | 'clock' | 'ids'>,
): JsonObject {
  const install = { enterprise_id: null, team_id: app.teamId, is_enterprise_install: false };
  return {
    token: app.verificationToken,
    team_id: app.teamId,
    context_team_id: app.teamId,
    context_enterprise_id: null,
    api_app_id: app.appId,
    event,
    type: 'event_callback',
    event_id: ids.next('Ev'),
    event_time: Math.floor(clock.now() / 1_000),
    authorizations: [{ ...install, user_id: app.botUser, is_bot: true }],
    is_ext_shared_channel: false,
  };
}

/**
 * Events of direct messages: posted, changed, deleted, by people and by the bot (docs.slack.dev/reference/events/message), with all
 * metadata (docs.slack.dev/messaging/message-metadata, “Subscribe to all message events”).
 */
const SUBSCRIPTION = 'message.im';

/** Wraps the timeline so that the bot gets events for changes in its direct messages. */
export function withMessageEvents(timeline: Timeline, core: () => WorkspaceCore): Timeline {
  return {
    ...timeline,
    add(message) {
      timeline.add(message);
      announceMessage(core(), message, () => postedFields(core(), message));
    },
    change(message, change) {
      const before = timeline.get(message.channel, message.ts) ?? message;
      const after = timeline.change(message, change);
      if (hasOtherContent(before, after))
        announceMessage(core(), after, () => changedFields(core(), before, after));
      return after;
    },
    remove(message) {
      const isThere = timeline.get(message.channel, message.ts) !== undefined;
      timeline.remove(message);
      if (isThere) announceMessage(core(), message, () => deletedFields(core(), message));
    },
  };
}

/** Ephemeral messages cause no event. */
function announceMessage(core: WorkspaceCore, message: Message, fields: () => JsonObject): void {
  const { channel, onlyFor } = message;
  if (core.directory.channel(channel)?.kind !== 'im' || onlyFor !== null) return;
  // Checked first, because building the message object is slow in a long conversation.
  if (!core.manifest.events.has(SUBSCRIPTION)) return;
  core.announce(SUBSCRIPTION, { ...fields(), channel, channel_type: 'im' });
}

/** A change of reactions or metadata alone is no change of the content. */
function hasOtherContent(before: Message, after: Message): boolean {
  return (['text', 'blocks', 'attachments', 'edited'] as const).some((name) => before[name] !== after[name]);
}

/**
 * A message with files has a subtype as an event only (`FileShareMessageEvent` of `@slack/types` 3.2.0;
 * MercuryTechnologies/slack-web, message_file_share.json).
 */
function postedFields(core: WorkspaceCore, message: Message): JsonObject {
  const subtype = message.files?.length ? { subtype: 'file_share' } : {};
  return { ...messageObject(core, message, true), ...subtype, event_ts: message.ts };
}

function changedFields(core: WorkspaceCore, before: Message, after: Message): JsonObject {
  return {
    ...hidden(core, 'message_changed'),
    message: messageObject(core, after, true),
    previous_message: messageObject(core, before, true),
  };
}

function deletedFields(core: WorkspaceCore, message: Message): JsonObject {
  return {
    ...hidden(core, 'message_deleted'),
    deleted_ts: message.ts,
    previous_message: messageObject(core, message, true),
  };
}

function hidden({ ids }: WorkspaceCore, subtype: string): JsonObject {
  const ts = ids.ts();
  return { type: 'message', subtype, hidden: true, ts, event_ts: ts };
}

/** How long an event is held back for the next one to overtake it. */
const HOLD_BACK_MS = MINUTE;

type EventDisorderKind = 'duplicate' | 'reorder';
export type EventDisorder = Readonly<ReturnType<typeof createEventDisorder>>;

/**
 * Sends events twice or in another order: Slack promises neither exactly one delivery nor the order
 * (docs.slack.dev/apis/events-api). Commands and interactions are sent once, in order.
 */
export function createEventDisorder(clock: Clock, deliver: Deliver) {
  const left: Record<EventDisorderKind, number> = { duplicate: 0, reorder: 0 };
  let held: { readonly release: () => void; readonly timer: Timer } | null = null;

  const meets = (kind: EventDisorderKind) => {
    if (left[kind] === 0) return false;
    left[kind] -= 1;
    return true;
  };
  const once = (envelope: DeliveryRequest): Promise<DeliveryOutcome> => {
    const outcome = deliver(envelope);
    if (meets('duplicate')) void deliver(envelope);
    return outcome;
  };
  const letGo = () => {
    held?.timer.cancel();
    held?.release();
    held = null;
  };
  const hold = async (envelope: DeliveryRequest): Promise<DeliveryOutcome> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = { release: resolve, timer: clock.at(later(clock.now(), HOLD_BACK_MS), letGo) };
    await promise;
    return once(envelope);
  };

  return {
    async deliver(envelope: DeliveryRequest): Promise<DeliveryOutcome> {
      if (envelope.kind !== 'events_api' || envelope.retry) return deliver(envelope);
      const overtaken = held;
      if (overtaken === null) return meets('reorder') ? hold(envelope) : once(envelope);
      const outcome = await once(envelope);
      if (held === overtaken) letGo();
      return outcome;
    },
    /** The next `times` events are sent twice, or each after the one that follows it. */
    request(kind: EventDisorderKind, times: number) {
      left[kind] += times;
    },
    /** Back to normal; events held back are dropped, like the rest of the state. */
    reset() {
      left.duplicate = 0;
      left.reorder = 0;
      held?.timer.cancel();
      held = null;
    },
  };
}
