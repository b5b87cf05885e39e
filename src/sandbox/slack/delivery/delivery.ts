/** Delivers to the bot and waits for its acknowledgement, over either transport. */
import type { JsonObject } from '../core/json-object.ts';

/** docs.slack.dev/interactivity/handling-user-interaction; wall time, because the network is real. */
export const ACKNOWLEDGE_WITHIN_MS = 3_000;

export type DeliveryRequest = {
  readonly kind: 'slash_commands' | 'interactive' | 'events_api';
  readonly payload: JsonObject;
  readonly retry?: { readonly attempt: number; readonly reason: RetryReason };
};
/** Why an event is sent again (docs.slack.dev/apis/events-api#error-handling). */
export type RetryReason = 'http_timeout' | 'http_error' | 'connection_failed';
/** `error` is the code that the person sees; `reason` the one in a retried event. */
export type DeliveryOutcome =
  | { readonly kind: 'acknowledged'; readonly body: JsonObject }
  | {
      readonly kind: 'failed';
      readonly error: 'operation_timeout' | 'dispatch_failed';
      readonly reason: RetryReason;
      /** The bot asked for no retry. */
      readonly final?: boolean;
    };
export type Deliver = (envelope: DeliveryRequest) => Promise<DeliveryOutcome>;

export const TIMED_OUT: DeliveryOutcome = {
  kind: 'failed',
  error: 'operation_timeout',
  reason: 'http_timeout',
};
export const UNREACHABLE: DeliveryOutcome = undeliveredOutcome('connection_failed');

/**
 * Without interactivity, elements show but "users won't be able to use them": they see an error
 * (docs.slack.dev/surfaces/app-home).
 */
export function withInteractivity(deliver: Deliver, enabled: boolean): Deliver {
  if (enabled) return deliver;
  return async (envelope) => (envelope.kind === 'interactive' ? UNREACHABLE : await deliver(envelope));
}

/** Not delivered, for this reason. */
export function undeliveredOutcome(reason: RetryReason, final = false): DeliveryOutcome {
  return { kind: 'failed', error: 'dispatch_failed', reason, ...(final ? { final } : {}) };
}
