/** Indexes for lists of recent requests and of one person's requests, which otherwise read all rows. */
import { sqlMigration } from './sql-migration.ts';

export const recentListsMigration = sqlMigration(() => [
  'create index approvals_by_state on approvals (organization_id, state, created_at)',
  'create index approvals_by_requester on approvals (organization_id, requester_id, created_at)',
  'create index operations_by_requester on operations (organization_id, requester_id, created_at)',
  'create index operations_by_age on operations (organization_id, created_at)',
  'create index notices_by_kind on notices (organization_id, kind, created_at)',
]);
