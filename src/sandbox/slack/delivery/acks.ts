/** Envelopes that wait for their acknowledgement. */
import type { Fields } from '../json.ts';
import { ACK_WITHIN_MS, type Outcome, TIMED_OUT, UNREACHABLE } from './delivery.ts';

export type Acks = {
  /** The outcome of the envelope with this id, known in three seconds at the latest. */
  readonly await: (envelopeId: string) => Promise<Outcome>;
  readonly acknowledge: (envelopeId: string, body: Fields) => void;
  /** Nothing more will come. */
  readonly abandon: () => void;
};

export function createAcks(): Acks {
  const waiting = new Map<string, (outcome: Outcome) => void>();
  return {
    await: (envelopeId) =>
      new Promise((resolve) => {
        const settle = (outcome: Outcome) => {
          clearTimeout(timer);
          waiting.delete(envelopeId);
          resolve(outcome);
        };
        const timer = setTimeout(() => settle(TIMED_OUT), ACK_WITHIN_MS);
        waiting.set(envelopeId, settle);
      }),
    acknowledge: (envelopeId, body) => waiting.get(envelopeId)?.({ kind: 'acknowledged', body }),
    abandon() {
      for (const settle of waiting.values()) settle(UNREACHABLE);
    },
  };
}
