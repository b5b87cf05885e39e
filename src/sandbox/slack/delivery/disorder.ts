/**
 * Events that come twice or in another order: Slack promises neither that an event comes once nor that events
 * keep their order (docs.slack.dev/apis/events-api). Commands and interactions come once, as they happen.
 */
import { type Clock, later, MINUTE } from '../../../clock.ts';
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
  let release: (() => void) | null = null;

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
  const held = async (envelope: Envelope): Promise<Outcome> => {
    const turn = Promise.withResolvers<void>();
    const timer = clock.at(later(clock.now(), HELD_MS), () => release?.());
    release = () => {
      release = null;
      timer.cancel();
      turn.resolve();
    };
    await turn.promise;
    return once(envelope);
  };

  return {
    async deliver(envelope) {
      if (envelope.kind !== 'events_api' || envelope.retry) return deliver(envelope);
      if (release === null) return meets('reorder') ? held(envelope) : once(envelope);
      const outcome = await once(envelope);
      release?.();
      return outcome;
    },
    order(kind, times) {
      left[kind] += times;
    },
    reset() {
      left.duplicate = 0;
      left.reorder = 0;
      release = null;
    },
  };
}
