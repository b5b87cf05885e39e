/** Subscriptions and silences for tests. */
import { HOUR, later } from '../../src/lib/clock.ts';
import { channelId, organizationId, personId } from '../../src/lib/ids.ts';
import type {
  AlertFilter,
  SilenceRecord,
  SilenceScope,
  SubscriptionRecord,
} from '../../src/store/port/alert-records.ts';
import { START } from '../harness/builders.ts';

export const ANY: AlertFilter = { group: null, policy: null, tag: null, os: null };
export const EVERYTHING: SilenceScope = { kinds: [], group: null, device: null, patch: null };

export function aSubscription(given: Partial<SubscriptionRecord> = {}): SubscriptionRecord {
  return {
    organizationId: organizationId(7),
    number: 1,
    channel: channelId('C0TEAM'),
    person: null,
    kinds: ['patch-failed'],
    filter: ANY,
    createdBy: personId('UOPERATOR'),
    createdAt: START,
    endedBy: null,
    endedAt: null,
    ...given,
  };
}

export function aSilence(given: Partial<SilenceRecord> = {}): SilenceRecord {
  return {
    organizationId: organizationId(7),
    number: 1,
    scope: EVERYTHING,
    reason: null,
    createdBy: personId('UOPERATOR'),
    createdAt: START,
    until: later(START, HOUR),
    endedAt: null,
    endedBy: null,
    kept: 0,
    ...given,
  };
}
