/** The Events API: only what the manifest subscribes to, and again when it was not acknowledged. */
import { type Clock, later, MINUTE } from '../../../clock.ts';
import type { App } from '../app.ts';
import type { Ids } from '../ids.ts';
import type { Fields } from '../json.ts';
import type { Deliver, RetryReason } from './delivery.ts';
import { scopeFor } from './scopes.ts';

/** At once, after a minute, after five (docs.slack.dev/apis/events-api). */
const RETRY_AFTER_MS: readonly number[] = [0, MINUTE, 5 * MINUTE];

export type EventOptions = {
  readonly app: App;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly subscribed: ReadonlySet<string>;
  readonly scopes: ReadonlySet<string>;
  readonly deliver: Deliver;
};
export type Events = {
  readonly announce: (subscription: string, event: Fields) => void;
  /** Forgets what would have been tried again. */
  readonly reset: () => void;
};

export function createEvents({ app, clock, ids, subscribed, scopes, deliver }: EventOptions): Events {
  let generation = 0;

  const attempt = async (
    payload: Fields,
    born: number,
    attempts = 0,
    reason?: RetryReason,
  ): Promise<void> => {
    if (born !== generation) return;
    const retry = reason === undefined ? {} : { retry: { attempt: attempts, reason } };
    const outcome = await deliver({ kind: 'events_api', payload, ...retry });
    const pause = RETRY_AFTER_MS[attempts];
    if (outcome.kind === 'acknowledged' || outcome.final === true || pause === undefined) return;
    // Not awaited by the clock: one silent bot must not hold up an `advance` for three seconds of wall time.
    clock.at(later(clock.now(), pause), () => void attempt(payload, born, attempts + 1, outcome.reason));
  };

  return {
    announce(subscription, event) {
      const scope = scopeFor(subscription, event);
      if (!subscribed.has(subscription) || (scope !== null && !scopes.has(scope))) return;
      void attempt(eventPayload(event, { app, clock, ids }), generation);
    },
    reset() {
      generation += 1;
    },
  };
}

function eventPayload(
  event: Fields,
  { app, clock, ids }: Pick<EventOptions, 'app' | 'clock' | 'ids'>,
): Fields {
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
