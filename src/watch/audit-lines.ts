/** Subscriptions and silences in the audit: short facts by name. Pure. */
import type { SilenceScope, SubscriptionRecord } from '../store/alert-records.ts';
import type { AlertKind, AuditEntry } from '../store/records.ts';

type Detail = AuditEntry['detail'];

export function subscriptionDetail({ channel, kinds, filter }: SubscriptionRecord): Detail {
  const { group, policy, tag, os } = filter;
  return {
    channel,
    events: kindNames(kinds),
    group: group?.id ?? null,
    policy: policy?.id ?? null,
    tag,
    os,
  };
}

export function scopeDetail({ kinds, group, device, patch }: SilenceScope): Detail {
  return {
    events: kinds.length === 0 ? 'all' : kindNames(kinds),
    group: group?.id ?? null,
    // By this word the audit of one device finds its entries.
    device: device?.id ?? null,
    package: patch,
  };
}

function kindNames(kinds: readonly AlertKind[]): string {
  return kinds.join(', ');
}
