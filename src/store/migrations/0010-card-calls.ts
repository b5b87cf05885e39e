/**
 * Calls to Slack for a card whose outcome is unknown, instead of only the time of the first attempt: they survive the
 * process that made them, and tell when a late effect is no longer possible.
 */
import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { EngineKind } from '../schema.ts';

const required = (column: ColumnDefinitionBuilder) => column.notNull();
/** How long an older program allowed for a late effect. */
const SETTLE_MS = 60_000;

export function cardCallsMigration(engine: EngineKind): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('card_calls')
        .addColumn('organization_id', 'bigint', required)
        .addColumn('id', 'text', required)
        .addColumn('card', 'text', required)
        .addColumn('kind', 'text', required)
        .addColumn('channel', 'text', required)
        .addColumn('attempted_at', 'bigint', required)
        .addColumn('settle_ms', 'bigint', required)
        .addColumn('settles_at', 'bigint', required)
        .addColumn('settled_at', 'bigint')
        .addColumn('watched', 'bigint', required)
        .addPrimaryKeyConstraint('card_calls_key', ['organization_id', 'id'])
        .execute();
      await db.schema
        .createIndex('card_calls_by_card')
        .on('card_calls')
        .columns(['organization_id', 'card'])
        .execute();
      await db.schema
        .createIndex('card_calls_by_channel')
        .on('card_calls')
        .columns(['organization_id', 'channel'])
        .execute();
      await takeOver(db, engine);
      await db.schema.alterTable('cards').dropColumn('first_attempt_at').execute();
    },
  };
}

/** Posts with an unknown outcome, in the channel and in the direct message that replaces it. */
async function takeOver(db: Kysely<unknown>, engine: EngineKind): Promise<void> {
  const now = sql.raw(engine === 'postgres' ? '(extract(epoch from clock_timestamp()) * 1000)::bigint' : '0');
  for (const [suffix, channel, where] of [
    ['', sql.ref('channel'), sql`true`],
    ['-direct', sql.ref('fallback_person'), sql`fallback_person is not null and fallback_person <> channel`],
  ] as const)
    await sql`
      insert into card_calls
        (organization_id, id, card, kind, channel, attempted_at, settle_ms, settles_at, settled_at,
          watched)
      select organization_id, 'before-' || key || ${sql.lit(suffix)}, key, 'post', ${channel}, first_attempt_at,
        ${sql.lit(SETTLE_MS)}, ${now} + ${sql.lit(SETTLE_MS)}, null, 0
      from cards where first_attempt_at is not null and ts is null and failure is null and ${where}
    `.execute(db);
}
