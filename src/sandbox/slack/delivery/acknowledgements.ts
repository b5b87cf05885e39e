/** Envelopes that wait for their acknowledgement. */
import type { JsonObject } from '../core/json-object.ts';
import { ACKNOWLEDGE_WITHIN_MS, type DeliveryOutcome, TIMED_OUT, UNREACHABLE } from './delivery.ts';

export type PendingAcknowledgements = {
  /** The outcome of the envelope with this id, within three seconds. */
  readonly await: (envelopeId: string) => Promise<DeliveryOutcome>;
  readonly acknowledge: (envelopeId: string, body: JsonObject) => void;
  /** No further acknowledgement will come. */
  readonly abandon: () => void;
};

export function createPendingAcknowledgements(): PendingAcknowledgements {
  const waiting = new Map<string, (outcome: DeliveryOutcome) => void>();
  return {
    await: (envelopeId) =>
      new Promise((resolve) => {
        const settle = (outcome: DeliveryOutcome) => {
          clearTimeout(timer);
          waiting.delete(envelopeId);
          resolve(outcome);
        };
        const timer = setTimeout(() => settle(TIMED_OUT), ACKNOWLEDGE_WITHIN_MS);
        waiting.set(envelopeId, settle);
      }),
    acknowledge: (envelopeId, body) => waiting.get(envelopeId)?.({ kind: 'acknowledged', body }),
    abandon() {
      for (const settle of waiting.values()) settle(UNREACHABLE);
    },
  };
}
