/** Indexes for lists of recent requests and of one person's requests, which otherwise read all rows. */
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const INDEXES: Readonly<Record<string, readonly [table: string, column: string | null]>> = {
  approvals_by_state: ['approvals', 'state'],
  approvals_by_requester: ['approvals', 'requester_id'],
  operations_by_requester: ['operations', 'requester_id'],
  operations_by_age: ['operations', null],
  notices_by_kind: ['notices', 'kind'],
};

export function recentListsMigration(): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      for (const [name, [table, column]] of Object.entries(INDEXES)) {
        const columns = ['organization_id', ...(column === null ? [] : [column]), 'created_at'];
        await db.schema.createIndex(name).on(table).columns(columns).execute();
      }
    },
  };
}
