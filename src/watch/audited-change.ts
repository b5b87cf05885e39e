/** How what people want of alerts is changed: in one transaction with its line in the audit. */
import type { Clock } from '../lib/clock.ts';
import type { SilenceScope, SubscriptionRecord } from '../store/port/alert-records.ts';
import type { AlertKind, AuditEntry } from '../store/port/records.ts';
import type { Store, StoreTables } from '../store/port/store.ts';

export type AuditedChange = {
  readonly clock: Clock;
  /** One transaction, after which the workers look for due work. */
  readonly inTransaction: <T>(job: (tables: StoreTables) => Promise<T>) => Promise<T>;
  /** Writes a line of now in the transaction of these tables. */
  readonly audit: (tables: StoreTables, line: Omit<AuditEntry, 'at'>) => Promise<void>;
};

export type AuditedChangeOptions = {
  readonly store: Pick<Store, 'transaction'>;
  readonly clock: Clock;
  /** Wakes the workers. */
  readonly wakeWorker: () => void;
};

export function createAuditedChange({ store, clock, wakeWorker }: AuditedChangeOptions): AuditedChange {
  return {
    clock,
    async inTransaction(job) {
      const result = await store.transaction(job);
      wakeWorker();
      return result;
    },
    async audit(tables, line) {
      await tables.audit.append({ at: clock.now(), ...line });
    },
  };
}

/** Subscriptions and silences in the audit: short facts by name. Pure. */

type AuditDetail = AuditEntry['detail'];

export function subscriptionDetail({ channel, kinds, filter }: SubscriptionRecord): AuditDetail {
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

export function scopeDetail({ kinds, group, device, patch }: SilenceScope): AuditDetail {
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
