/** How what people want of alerts is changed: in one transaction with its line in the audit. */
import type { Clock } from '../clock.ts';
import type { AuditEntry } from '../store/records.ts';
import type { Store, Tables } from '../store/store.ts';

export type Changing = {
  readonly clock: Clock;
  /** One transaction, after which the workers look for due work. */
  readonly change: <T>(job: (tables: Tables) => Promise<T>) => Promise<T>;
  /** Writes a line of now in the transaction of these tables. */
  readonly audit: (tables: Tables, line: Omit<AuditEntry, 'at'>) => Promise<void>;
};

export type ChangingOptions = {
  readonly store: Pick<Store, 'transaction'>;
  readonly clock: Clock;
  /** Wakes the workers. */
  readonly kick: () => void;
};

export function createChanging({ store, clock, kick }: ChangingOptions): Changing {
  return {
    clock,
    async change(job) {
      const result = await store.transaction(job);
      kick();
      return result;
    },
    async audit(tables, line) {
      await tables.audit.append({ at: clock.now(), ...line });
    },
  };
}
