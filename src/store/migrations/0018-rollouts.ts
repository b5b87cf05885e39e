/** Many devices in one request: its plan and how far it came, and the counts of each wave. */
import { sqlMigration } from './sql-migration.ts';

export const rolloutsMigration = sqlMigration(() => [
  'alter table requests add column rollout text',
  // Only of requests with a plan: `request_counts` is the sum.
  `create table wave_counts (
    organization_id bigint not null, request_id text not null, wave bigint not null, state text not null,
    targets bigint not null,
    constraint wave_counts_key primary key (organization_id, request_id, wave, state),
    constraint wave_counts_request foreign key (organization_id, request_id)
      references requests (organization_id, id)
  )`,
]);
