/** What replicas know of the doors to Slack: signatures of requests, and how many connections each replica holds. */
import { sqlMigration } from './sql-migration.ts';

export const doorsMigration = sqlMigration(() => [
  `create table signatures (
    organization_id bigint not null, signature text not null, until bigint not null,
    constraint signatures_key primary key (organization_id, signature)
  )`,
  'create index signatures_until on signatures (organization_id, until)',
  'alter table replicas add column connections integer not null default 0',
]);
