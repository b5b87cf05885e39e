/** A copy of the fleet, so that a restart finds devices before the service answers. */
import { sqlMigration } from './sql-migration.ts';

export const inventoryMigration = sqlMigration(() => [
  `create table inventory_devices (
    organization_id bigint not null, device_id bigint not null, body text not null,
    constraint inventory_devices_key primary key (organization_id, device_id)
  )`,
  `create table inventory_facts (
    organization_id bigint not null, body text not null,
    constraint inventory_facts_key primary key (organization_id)
  )`,
]);
