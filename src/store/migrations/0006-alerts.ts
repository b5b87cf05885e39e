/** Subscriptions and silences, the card of each alert, and who acknowledged an alert. */
import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

type Database = Kysely<unknown>;

const required = (column: ColumnDefinitionBuilder) => column.notNull();

const NOTICE_COLUMNS = [
  ['policy_id', 'bigint'],
  ['policy_name', 'text'],
  ['exit_code', 'bigint'],
  ['user_id', 'bigint'],
  ['acknowledged_by', 'text'],
  ['acknowledged_at', 'bigint'],
] as const;

export function alertsMigration(): Migration {
  return {
    up: async (db: Database) => {
      for (const [name, type] of NOTICE_COLUMNS)
        await db.schema.alterTable('notices').addColumn(name, type).execute();
      await subscriptions(db);
      await silences(db);
      await deliveries(db);
      await numbers(db);
    },
  };
}

async function subscriptions(db: Database): Promise<void> {
  await db.schema
    .createTable('subscriptions')
    .addColumn('organization_id', 'bigint', required)
    .addColumn('number', 'bigint', required)
    .addColumn('channel', 'text', required)
    .addColumn('person', 'text')
    .addColumn('kinds', 'text', required)
    .addColumn('filter', 'text', required)
    .addColumn('created_by', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('ended_by', 'text')
    .addColumn('ended_at', 'bigint')
    .addPrimaryKeyConstraint('subscriptions_key', ['organization_id', 'number'])
    .execute();
}

async function silences(db: Database): Promise<void> {
  await db.schema
    .createTable('silences')
    .addColumn('organization_id', 'bigint', required)
    .addColumn('number', 'bigint', required)
    .addColumn('scope', 'text', required)
    .addColumn('reason', 'text')
    .addColumn('created_by', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('until', 'bigint', required)
    .addColumn('ended_at', 'bigint')
    .addColumn('ended_by', 'text')
    .addColumn('kept', 'bigint', required)
    .addPrimaryKeyConstraint('silences_key', ['organization_id', 'number'])
    .execute();
}

async function numbers(db: Database): Promise<void> {
  await db.schema
    .createTable('numbers')
    .addColumn('organization_id', 'bigint', required)
    .addColumn('what', 'text', required)
    .addColumn('last', 'bigint', required)
    .addPrimaryKeyConstraint('numbers_key', ['organization_id', 'what'])
    .execute();
}

/** `card` is the notice for which the card was made; a storm is the card that the next alert with its key joins. */
async function deliveries(db: Database): Promise<void> {
  await db.schema
    .createTable('deliveries')
    .addColumn('organization_id', 'bigint', required)
    .addColumn('notice_id', 'text', required)
    .addColumn('channel', 'text', required)
    .addColumn('card', 'text')
    .addColumn('silence', 'bigint')
    .addPrimaryKeyConstraint('deliveries_key', ['organization_id', 'notice_id', 'channel'])
    .addCheckConstraint('deliveries_once', sql`(card is null) <> (silence is null)`)
    .execute();
  for (const column of ['card', 'silence'])
    await db.schema
      .createIndex(`deliveries_by_${column}`)
      .on('deliveries')
      .columns(['organization_id', column, 'channel'])
      .execute();
  await db.schema
    .createTable('storms')
    .addColumn('organization_id', 'bigint', required)
    .addColumn('channel', 'text', required)
    .addColumn('key', 'text', required)
    .addColumn('card', 'text', required)
    .addColumn('open_until', 'bigint', required)
    .addPrimaryKeyConstraint('storms_key', ['organization_id', 'channel', 'key'])
    .execute();
}
