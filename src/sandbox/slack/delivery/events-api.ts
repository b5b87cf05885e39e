/** The Events API: sends what the manifest subscribes to, and retries what was not acknowledged. */
import { type Clock, later, MINUTE } from '../../../lib/clock.ts';
import type { Ids } from '../core/ids.ts';
import type { InstalledApp } from '../core/installed-app.ts';
import type { JsonObject } from '../core/json-object.ts';
import type { Deliver, RetryReason } from './delivery.ts';

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

export type EventsApiOptions = {
  readonly app: InstalledApp;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly subscribed: ReadonlySet<string>;
  readonly scopes: ReadonlySet<string>;
  readonly deliver: Deliver;
};
export function createEventsApi({ app, clock, ids, subscribed, scopes, deliver }: EventsApiOptions) {
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
      if (!subscribed.has(subscription) || (scope !== null && !scopes.has(scope))) return;
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
  { app, clock, ids }: Pick<EventsApiOptions, 'app' | 'clock' | 'ids'>,
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
