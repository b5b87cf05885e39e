/**
 * Events that come twice or in another order: Slack promises neither that an event comes once nor that events
 * keep their order (docs.slack.dev/apis/events-api). Commands and interactions come once, as they happen.
 */
import { type Clock, later, MINUTE, type Timer } from '../../../clock.ts';
import type { Deliver, Envelope, Outcome } from './delivery.ts';

/** How long an event waits for one that overtakes it. */
const HELD_MS = MINUTE;

export type DisorderKind = 'duplicate' | 'reorder';
export type Disorder = {
  readonly deliver: Deliver;
  /** The next `times` events come twice, or each after the one that follows it. */
  readonly order: (kind: DisorderKind, times: number) => void;
  /** Back to order; what was held back is lost, as everything that has happened is. */
  readonly reset: () => void;
};

export function createDisorder(clock: Clock, deliver: Deliver): Disorder {
  const left: Record<DisorderKind, number> = { duplicate: 0, reorder: 0 };
  let held: { readonly release: () => void; readonly timer: Timer } | null = null;

  const meets = (kind: DisorderKind) => {
    if (left[kind] === 0) return false;
    left[kind] -= 1;
    return true;
  };
  const once = (envelope: Envelope): Promise<Outcome> => {
    const outcome = deliver(envelope);
    if (meets('duplicate')) void deliver(envelope);
    return outcome;
  };
  const letGo = () => {
    held?.timer.cancel();
    held?.release();
    held = null;
  };
  const hold = async (envelope: Envelope): Promise<Outcome> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = { release: resolve, timer: clock.at(later(clock.now(), HELD_MS), letGo) };
    await promise;
    return once(envelope);
  };

  return {
    async deliver(envelope) {
      if (envelope.kind !== 'events_api' || envelope.retry) return deliver(envelope);
      const overtaken = held;
      if (overtaken === null) return meets('reorder') ? hold(envelope) : once(envelope);
      const outcome = await once(envelope);
      if (held === overtaken) letGo();
      return outcome;
    },
    order(kind, times) {
      left[kind] += times;
    },
    reset() {
      left.duplicate = 0;
      left.reorder = 0;
      held?.timer.cancel();
      held = null;
    },
  };
}
