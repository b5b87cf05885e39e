/** Windows that let something run once they are submitted. */
import { sqlMigration } from './sql-migration.ts';

export const decisionWindowsMigration = sqlMigration(() => [
  `create table decision_windows (
    organization_id bigint not null, id text not null, person_id text not null, request_id text not null,
    body text not null, used_by text, ends_at bigint not null,
    constraint decision_windows_key primary key (organization_id, id)
  )`,
]);
