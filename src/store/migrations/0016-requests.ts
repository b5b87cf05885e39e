/**
 * A request is one record from the first click to the last proof, with one row per target from the start and a count for
 * each state of them.
 */
import { type ColumnDefinitionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

type Database = Kysely<unknown>;

const required = (column: ColumnDefinitionBuilder) => column.notNull();

export function requestsMigration(): Migration {
  return {
    up: async (db: Database) => {
      await requests(db);
      await requestIndexes(db);
      await targets(db);
      await targetIndexes(db);
      await counts(db);
    },
  };
}

/** `seal`, `fingerprint` and `expires_at` are null where nobody has to agree. */
async function requests(db: Database): Promise<void> {
  await db.schema
    .createTable('requests')
    .addColumn('organization_id', 'bigint', required)
    .addColumn('id', 'text', required)
    .addColumn('version', 'bigint', required)
    .addColumn('state', 'text', required)
    .addColumn('action', 'text', required)
    .addColumn('seal', 'text')
    .addColumn('fingerprint', 'text')
    .addColumn('requester_id', 'text', required)
    .addColumn('request_key', 'text', required)
    .addColumn('reason', 'text')
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint')
    .addColumn('decided_by', 'text')
    .addColumn('decided_at', 'bigint')
    .addColumn('approved_by', 'text')
    .addColumn('approved_at', 'bigint')
    .addColumn('note', 'text')
    .addColumn('started_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('operation_id', 'text')
    .addPrimaryKeyConstraint('requests_key', ['organization_id', 'id'])
    .addUniqueConstraint('requests_delivery', ['organization_id', 'request_key'])
    .addUniqueConstraint('requests_operation', ['organization_id', 'operation_id'])
    .execute();
}

async function requestIndexes(db: Database): Promise<void> {
  await db.schema
    .createIndex('requests_waiting')
    .unique()
    .on('requests')
    .columns(['organization_id', 'fingerprint'])
    .where(sql.ref('state'), '=', sql.lit('waiting'))
    .execute();
  for (const [name, column] of [
    ['requests_by_age', null],
    ['requests_by_state', 'state'],
    ['requests_by_requester', 'requester_id'],
  ] as const) {
    const columns = ['organization_id', ...(column === null ? [] : [column]), 'created_at'];
    await db.schema.createIndex(name).on('requests').columns(columns).execute();
  }
}

/** `device_id` is 0 where the target is no device; `command_key` is equal for what must not be under way twice. */
async function targets(db: Database): Promise<void> {
  await db.schema
    .createTable('request_targets')
    .addColumn('organization_id', 'bigint', required)
    .addColumn('request_id', 'text', required)
    .addColumn('device_id', 'bigint', required)
    .addColumn('position', 'bigint', required)
    .addColumn('display_name', 'text', required)
    .addColumn('facts', 'text')
    .addColumn('state', 'text', required)
    .addColumn('before', 'text', required)
    .addColumn('queue_entry_id', 'bigint')
    .addColumn('issued_at', 'bigint', required)
    .addColumn('accepted_at', 'bigint')
    .addColumn('queued_at', 'bigint')
    .addColumn('missed_at', 'bigint')
    .addColumn('answered_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('next_at', 'bigint')
    .addColumn('response', 'text')
    .addColumn('evidence', 'text')
    .addColumn('deadline_at', 'bigint', required)
    .addColumn('command_key', 'text')
    .addPrimaryKeyConstraint('request_targets_key', ['organization_id', 'request_id', 'position'])
    .addUniqueConstraint('request_targets_device', ['organization_id', 'device_id', 'request_id'])
    .addForeignKeyConstraint('request_targets_request', ['organization_id', 'request_id'], 'requests', [
      'organization_id',
      'id',
    ])
    .execute();
}

/**
 * PostgreSQL takes every request for a small one until it has looked at the table, and often after that: any index that
 * begins with the request seems good enough to it. So what is read all the time has an index for itself.
 */
async function targetIndexes(db: Database): Promise<void> {
  await db.schema
    .createIndex('request_targets_ready')
    .on('request_targets')
    .columns(['organization_id', 'request_id', 'position'])
    .where(sql.ref('state'), '=', sql.lit('ready'))
    .execute();
  await db.schema
    .createIndex('request_targets_by_state')
    .on('request_targets')
    .columns(['organization_id', 'state', 'request_id', 'position'])
    .execute();
  await db.schema
    .createIndex('request_targets_due')
    .on('request_targets')
    .columns(['organization_id', 'request_id', 'next_at', 'position'])
    .where(sql<SqlBool>`ended_at is null and next_at is not null`)
    .execute();
  // Once its entry is seen in the queue, the queue itself shows that it waits; until then only this row does.
  await db.schema
    .createIndex('request_targets_under_way')
    .unique()
    .on('request_targets')
    .columns(['organization_id', 'device_id', 'command_key'])
    .where(sql<SqlBool>`ended_at is null and state in ('issuing', 'accepted', 'unknown')`)
    .execute();
  // Targets of requests that were denied stay ready for ever: they are not in the way of anything.
  await db.schema
    .createIndex('request_targets_open')
    .on('request_targets')
    .columns(['organization_id', 'device_id', 'command_key'])
    .where(sql<SqlBool>`ended_at is null and state <> 'ready'`)
    .execute();
  await db.schema
    .createIndex('request_targets_ended')
    .on('request_targets')
    .columns(['organization_id', 'ended_at'])
    .where(sql<SqlBool>`ended_at is not null`)
    .execute();
}

async function counts(db: Database): Promise<void> {
  await db.schema
    .createTable('request_counts')
    .addColumn('organization_id', 'bigint', required)
    .addColumn('request_id', 'text', required)
    .addColumn('state', 'text', required)
    .addColumn('targets', 'bigint', required)
    .addPrimaryKeyConstraint('request_counts_key', ['organization_id', 'request_id', 'state'])
    .addForeignKeyConstraint('request_counts_request', ['organization_id', 'request_id'], 'requests', [
      'organization_id',
      'id',
    ])
    .execute();
}
