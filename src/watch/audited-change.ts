/** Changes of alert settings, each in one transaction with its audit line. */
import type { Clock } from '../lib/clock.ts';
import type { SilenceScope, SubscriptionRecord } from '../store/port/alert-records.ts';
import type { AlertKind, AuditEntry } from '../store/port/records.ts';
import type { Store, StoreTables } from '../store/port/store.ts';

export type AuditedChange = {
  readonly clock: Clock;
  /** Runs one transaction, then wakes the worker. */
  readonly inTransaction: <T>(job: (tables: StoreTables) => Promise<T>) => Promise<T>;
  /** Appends an audit line with the present time, in the transaction of these tables. */
  readonly audit: (tables: StoreTables, line: Omit<AuditEntry, 'at'>) => Promise<void>;
};

export type AuditedChangeOptions = {
  readonly store: Pick<Store, 'transaction'>;
  readonly clock: Clock;
  readonly wakeWorker: () => void;
};

/** The transaction and audit that all changes of alert settings use. */
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

/** Details of subscriptions and silences for the audit. Pure. */
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

/** The audit detail of a silence’s scope. */
export function scopeDetail({ kinds, group, device, patch }: SilenceScope): AuditDetail {
  return {
    events: kinds.length === 0 ? 'all' : kindNames(kinds),
    group: group?.id ?? null,
    // The audit of one device searches for this key.
    device: device?.id ?? null,
    package: patch,
  };
}

function kindNames(kinds: readonly AlertKind[]): string {
  return kinds.join(', ');
}
