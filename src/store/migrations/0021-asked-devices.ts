/** How much a person asked for is counted where a request is recorded, and stands with it. */
import { sqlMigration } from './sql-migration.ts';

export const askedDevicesMigration = sqlMigration(() => [
  'alter table requests add column asked_last_hour bigint',
  'alter table requests add column typed_count bigint not null default 0',
]);
