/** The missing patches of devices as last read, so that a restart need not read them again. */
import { sqlMigration } from './sql-migration.ts';

export const missingPatchesMigration = sqlMigration(() => [
  `create table inventory_misses (
    organization_id bigint not null, device_id bigint not null, body text not null,
    constraint inventory_misses_key primary key (organization_id, device_id)
  )`,
]);
