/**
 * Calls to Slack for a card whose outcome is unknown, instead of only the time of the first attempt: they survive the
 * process that made them, and tell when a late effect is no longer possible.
 */
import type { EngineKind } from '../schema.ts';
import { sqlMigration } from './sql-migration.ts';

/** How long an older program allowed for a late effect. */
const SETTLE_MS = 60_000;

/** Posts with an unknown outcome, in the channel and in the direct message that replaces it. */
function unknownPosts(engine: EngineKind): readonly string[] {
  const now = engine === 'postgres' ? '(extract(epoch from clock_timestamp()) * 1000)::bigint' : '0';
  return [
    ['', 'channel', 'true'],
    ['-direct', 'fallback_person', 'fallback_person is not null and fallback_person <> channel'],
  ].map(
    ([suffix, channel, where]) =>
      `insert into card_calls
        (organization_id, id, card, kind, channel, attempted_at, settle_ms, settles_at, settled_at, watched)
      select organization_id, 'before-' || key || '${suffix}', key, 'post', ${channel}, first_attempt_at,
        ${SETTLE_MS}, ${now} + ${SETTLE_MS}, null, 0
      from cards where first_attempt_at is not null and ts is null and failure is null and ${where}`,
  );
}

export const cardCallsMigration = sqlMigration((engine) => [
  `create table card_calls (
    organization_id bigint not null, id text not null, card text not null, kind text not null,
    channel text not null, attempted_at bigint not null, settle_ms bigint not null,
    settles_at bigint not null, settled_at bigint, watched bigint not null,
    constraint card_calls_key primary key (organization_id, id)
  )`,
  'create index card_calls_by_card on card_calls (organization_id, card)',
  'create index card_calls_by_channel on card_calls (organization_id, channel)',
  ...unknownPosts(engine),
  'alter table cards drop column first_attempt_at',
]);
