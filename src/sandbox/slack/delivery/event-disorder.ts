/**
 * Sends events twice or in another order: Slack promises neither exactly one delivery nor the order
 * (docs.slack.dev/apis/events-api). Commands and interactions are sent once, in order.
 */
import { type Clock, later, MINUTE, type Timer } from '../../../lib/clock.ts';
import type { Deliver, DeliveryOutcome, DeliveryRequest } from './delivery.ts';

/** How long an event is held back for the next one to overtake it. */
const HOLD_BACK_MS = MINUTE;

export type EventDisorderKind = 'duplicate' | 'reorder';
export type EventDisorder = Readonly<ReturnType<typeof createEventDisorder>>;

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
