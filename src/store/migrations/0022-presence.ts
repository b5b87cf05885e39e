/** When a process of Patchbay was last alive. */
import { sqlMigration } from './sql-migration.ts';

export const presenceMigration = sqlMigration(() => [
  `create table presence (
    organization_id bigint not null, alive_at bigint not null,
    constraint presence_key primary key (organization_id)
  )`,
]);
