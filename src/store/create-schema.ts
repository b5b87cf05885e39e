/**
 * Creates the tables in an empty database, and refuses those of another version of Patchbay. Both engines have the same
 * tables: times are epoch milliseconds; lists and records are JSON.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Engine } from './engines/engine.ts';
import type { EngineKind } from './schema.ts';
import { beginTransaction } from './session.ts';

/** Names the schema that the tables have. Its columns are those of Kysely's Migrator, which could lead from it to another. */
export const VERSION_TABLE = 'patchbay_migrations';

/** A digest, so that no change of the statements can be forgotten. */
function versionOf(statements: readonly string[]): string {
  return `0001-${createHash('sha256').update(statements.join(';')).digest('hex').slice(0, 16)}`;
}

export type SchemaStatus =
  /** No tables at all: a start creates them. */
  | { readonly kind: 'empty' }
  /** It has tables, but none of ours. */
  | { readonly kind: 'foreign'; readonly tables: number }
  | { readonly kind: 'current' }
  /** A start refuses it. */
  | { readonly kind: 'other-version' };

type Tables = Pick<Engine, 'db' | 'kind'>;

export async function readSchemaStatus({ db, kind }: Tables): Promise<SchemaStatus> {
  const tables = await tableNames({ db, kind });
  if (tables.includes(VERSION_TABLE)) {
    const names = sql<{ readonly name: string }>`select name from ${sql.table(VERSION_TABLE)}`;
    const { rows } = await names.execute(db.withoutPlugins());
    const current = versionOf(schemaStatements(kind));
    if (rows.length > 0)
      return { kind: rows.every(({ name }) => name === current) ? 'current' : 'other-version' };
  }
  return tables.length === 0 ? { kind: 'empty' } : { kind: 'foreign', tables: tables.length };
}

const TABLE_LISTS: Readonly<Record<EngineKind, string>> = {
  sqlite: `select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`,
  postgres: `select table_name as name from information_schema.tables where table_schema = current_schema()`,
};

/** Names of the tables, as the database spells them. */
export async function tableNames({ db, kind }: Tables): Promise<readonly string[]> {
  const { rows } = await sql.raw<{ name: string }>(TABLE_LISTS[kind]).execute(db.withoutPlugins());
  return rows.map(({ name }) => name).toSorted();
}

/** In one transaction: replicas that start together wait for the one that is first. */
export async function createSchema(engine: Engine): Promise<void> {
  const { kind } = engine;
  await beginTransaction(engine).execute(async (db) => {
    const run = (statement: string) => sql.raw(statement).execute(db);
    if (kind === 'postgres') await run(`select pg_advisory_xact_lock(${LOCK_ID})`);
    const status = await readSchemaStatus({ db, kind });
    if (status.kind === 'current') return;
    if (status.kind === 'other-version') throw new Error(OTHER_VERSION);
    const statements = schemaStatements(kind);
    for (const statement of [VERSION_STATEMENT, ...statements]) await run(statement);
    await run(`insert into ${VERSION_TABLE} values ('${versionOf(statements)}', current_timestamp)`);
  });
}

const VERSION_STATEMENT = `create table if not exists "${VERSION_TABLE}" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null)`;

/** Any number that no other program in the database takes. */
const LOCK_ID = 3_853_314_791;

const OTHER_VERSION =
  'it has the tables of another version of Patchbay. Run that version, or set DATABASE_URL to another database';

function schemaStatements(engine: EngineKind): readonly string[] {
  const tables = [...EVENTS, ...REQUESTS, ...CARDS, ...SETTINGS, ...INVENTORY, ...REPLICAS, ...AUDIT];
  return [...tables, ...PROTECTION[engine]];
}

/**
 * From `name (key)` and the columns of a table. Each of its rows belongs to an organization, with which its key begins; what
 * has more constraints than that is written in full.
 */
function table(text: string): string {
  const [, name, key = '', columns] = /^(\w+) \((.*?)\)\n +(.*)$/s.exec(text) ?? [];
  const primary = ['organization_id', ...(key === '' ? [] : [key])].join(', ');
  return `create table ${name} (
    organization_id bigint not null, ${columns},
    constraint ${name}_key primary key (${primary})
  )`;
}

const EVENTS = [
  table(`event_cursors ()
    highest_id bigint not null, floor_id bigint not null,
    updated_at bigint not null, history_before bigint, newest_at bigint, gap text`),
  table(`events_seen (event_id, happened_at)
    event_id bigint not null, happened_at bigint not null, seen_at bigint not null`),
  'create index events_seen_age on events_seen (organization_id, seen_at)',
  // Which events were taken in, each once: two replicas may read the same ones.
  table(`alert_events (id)
    id text not null, kind text not null, event_id bigint not null,
    device_id bigint, happened_at bigint, alert text not null`),
  // Ids are given again where the service was restored from a backup.
  `create unique index alert_events_event on alert_events
    (organization_id, event_id, kind, coalesce(happened_at, 0), coalesce(device_id, 0))`,
  table(`alert_groups (id)
    id text not null, number bigint not null, key text not null,
    kind text not null, home text, state text not null, opened_at bigint not null, changed_at bigint not null,
    ended_at bigint, acknowledged_by text, acknowledged_at bigint, last_ended_at bigint, last_owner text`),
  'create index alert_groups_by_key on alert_groups (organization_id, key, opened_at)',
  'create index alert_groups_by_change on alert_groups (organization_id, changed_at)',
  `create index alert_groups_open on alert_groups (organization_id, changed_at) where state = 'open'`,
  table(`alert_members (id, alert)
    id text not null, alert text not null, state text not null,
    kind text not null, device_id bigint, device_name text, packages text not null, reason text,
    operating_system text, policy_id bigint, policy_name text, exit_code bigint, user_id bigint,
    first_at bigint not null, failures bigint not null, failed_at bigint, failed_event bigint,
    fixed_at bigint, fixed_event bigint, closed_at bigint, closed_event bigint`),
  'create index alert_members_by_alert on alert_members (organization_id, alert, state, failed_event)',
  `create index alert_members_open on alert_members (organization_id, device_id) where state = 'open'`,
  table(`alert_endings (of)
    of text not null, at bigint not null, event bigint not null`),
  'create index alert_endings_by_age on alert_endings (organization_id, at)',
  table(`alert_cards (alert, channel)
    alert text not null, channel text not null, generation bigint not null,
    started_at bigint not null, open bigint not null, drawn_open bigint not null, drawn_at bigint not null,
    due_at bigint not null`),
  table(`subscriptions (number)
    number bigint not null, channel text not null, person text,
    kinds text not null, filter text not null, created_by text not null, created_at bigint not null,
    ended_by text, ended_at bigint`),
  table(`silences (number)
    number bigint not null, scope text not null, reason text,
    created_by text not null, created_at bigint not null, until bigint not null, ended_at bigint,
    ended_by text, kept bigint not null`),
  // A member of an alert in a channel: on its card there (1), or held by a silence.
  table(`deliveries (alert, member, channel)
    alert text not null, member text not null, channel text not null,
    on_card bigint not null, silence bigint`),
  'create index deliveries_by_channel on deliveries (organization_id, alert, channel, on_card)',
  'create index deliveries_by_silence on deliveries (organization_id, silence, channel) where silence is not null',
  table(`numbers (what)
    what text not null, last bigint not null`),
];

const REQUESTS = [
  // `seal`, `fingerprint` and `expires_at` are null where nobody has to agree.
  `create table requests (
    organization_id bigint not null, id text not null, version bigint not null, state text not null,
    action text not null, seal text, fingerprint text, requester_id text not null,
    request_key text not null, reason text, created_at bigint not null, expires_at bigint,
    decided_by text, decided_at bigint, comment text, approved_by text, approved_at bigint, note text,
    started_at bigint, ended_at bigint, rollout text, asked_last_hour bigint,
    typed_count bigint not null default 0, reach bigint not null default 1, rules text not null,
    constraint requests_key primary key (organization_id, id),
    constraint requests_delivery unique (organization_id, request_key)
  )`,
  `create unique index requests_waiting on requests (organization_id, fingerprint) where state = 'waiting'`,
  'create index requests_by_age on requests (organization_id, created_at)',
  'create index requests_by_state on requests (organization_id, state, created_at)',
  'create index requests_by_requester on requests (organization_id, requester_id, created_at)',
  // `device_id` is 0 where the target is no device; `command_key` is equal for what must not be under way twice.
  `create table request_targets (
    organization_id bigint not null, request_id text not null, device_id bigint not null,
    position bigint not null, display_name text not null, facts text not null, state text not null,
    before text not null, queue_entry_id bigint, issued_at bigint not null, accepted_at bigint,
    queued_at bigint, missed_at bigint, answered_at bigint, ended_at bigint, next_at bigint,
    response text, evidence text, deadline_at bigint not null, command_key text not null,
    constraint request_targets_key primary key (organization_id, request_id, position),
    constraint request_targets_device unique (organization_id, device_id, request_id),
    constraint request_targets_request foreign key (organization_id, request_id)
      references requests (organization_id, id)
  )`,
  // PostgreSQL takes every request for a small one until it has looked at the table, and often after that: any index
  // that begins with the request seems good enough to it. So what is read all the time has an index for itself.
  `create index request_targets_ready on request_targets (organization_id, request_id, position)
    where state = 'ready'`,
  'create index request_targets_by_state on request_targets (organization_id, state, request_id, position)',
  `create index request_targets_due on request_targets (organization_id, request_id, next_at, position)
    where ended_at is null and next_at is not null`,
  // Once its entry is seen in the queue, the queue itself shows that it waits; until then only this row does.
  `create unique index request_targets_under_way on request_targets (organization_id, device_id, command_key)
    where ended_at is null and state in ('issuing', 'accepted', 'unknown')`,
  // Targets of requests that were denied stay ready for ever: they are not in the way of anything.
  `create index request_targets_open on request_targets (organization_id, device_id, command_key)
    where ended_at is null and state <> 'ready'`,
  'create index request_targets_ended on request_targets (organization_id, ended_at) where ended_at is not null',
  `create table request_counts (
    organization_id bigint not null, request_id text not null, state text not null,
    targets bigint not null,
    constraint request_counts_key primary key (organization_id, request_id, state),
    constraint request_counts_request foreign key (organization_id, request_id)
      references requests (organization_id, id)
  )`,
  // Only of requests with a plan: `request_counts` is the sum.
  `create table wave_counts (
    organization_id bigint not null, request_id text not null, wave bigint not null, state text not null,
    targets bigint not null,
    constraint wave_counts_key primary key (organization_id, request_id, wave, state),
    constraint wave_counts_request foreign key (organization_id, request_id)
      references requests (organization_id, id)
  )`,
  table(`decision_windows (id)
    id text not null, person_id text not null,
    decides text not null, devices bigint, view text not null, channel text not null, thread text,
    used_by text, ends_at bigint not null`),
];

const CARDS = [
  table(`cards (key)
    key text not null, channel text not null, fallback_person text,
    posted_channel text, ts text, wanted_revision bigint not null, shown_revision bigint not null,
    failure text, wanted_at bigint`),
  table(`card_calls (id)
    id text not null, card text not null, kind text not null,
    channel text not null, attempted_at bigint not null, settle_ms bigint not null,
    settles_at bigint not null, settled_at bigint, watched bigint not null`),
  'create index card_calls_by_card on card_calls (organization_id, card)',
  'create index card_calls_by_channel on card_calls (organization_id, channel)',
  table(`work (kind, key)
    kind text not null, key text not null, due_at bigint not null,
    payload text, attempts bigint not null, generation bigint not null, claimed_generation bigint,
    lease_token text, lease_until bigint`),
  'create index work_due on work (organization_id, due_at)',
  table(`signatures (signature)
    signature text not null, until bigint not null`),
  'create index signatures_until on signatures (organization_id, until)',
];

const SETTINGS = [
  table(`named_lines (kind, owner, name)
    kind text not null, owner text not null, name text not null,
    line text not null, by_person text not null, kept_at bigint not null`),
  table(`people_settings (person_id)
    person_id text not null, time_zone text`),
  table(`pauses (id)
    id text not null, by_person text not null, reason text,
    since bigint not null, ended_by text, ended_at bigint`),
  table(`pause_switches ()
    pause_id text`),
];

const INVENTORY = [
  // The write that stored a row, and who wrote it: other replicas read what is newer than what they have.
  table(`inventory_devices (device_id)
    device_id bigint not null, body text not null,
    revision bigint default 0 not null, writer text`),
  'create index inventory_devices_by_revision on inventory_devices (organization_id, revision, device_id)',
  table(`inventory_misses (device_id)
    device_id bigint not null, body text not null,
    revision bigint default 0 not null, writer text`),
  'create index inventory_misses_by_revision on inventory_misses (organization_id, revision, device_id)',
  table(`inventory_facts ()
    body text not null`),
  table(`inventory_revisions (what)
    what text not null, revision bigint not null`),
];

const REPLICAS = [
  // Times are the database's. `last_read_at` and `failures` are the leader's own report.
  table(`leaders (role)
    role text not null, holder text, token bigint not null,
    until bigint not null, last_read_at bigint, failures bigint not null`),
  // `claim` is a replica's part of the request budget, in thousandths; it counts until some time after `until`.
  table(`replicas (id)
    id text not null, claim bigint not null, until bigint not null,
    connections bigint not null default 0,
    configuration text not null default ''`),
  // `taken` is a JSON list of the times of requests that still count.
  table(`request_budgets (name)
    name text not null, taken text not null,
    paused_until bigint not null`),
  table(`troubles (id)
    id text not null, key text not null, body text not null,
    since bigint not null, seen_at bigint not null, ended_at bigint`),
  // One open trouble per key, whichever replica finds it first.
  'create unique index troubles_open on troubles (organization_id, key) where ended_at is null',
  table(`vitals ()
    events_read_at bigint, checked_at bigint not null`),
];

const AUDIT = [
  table(`audit (sequence)
    sequence bigint not null, at bigint not null, actor text not null,
    action text not null, subject text not null, detail text not null, hash text not null`),
  table(`audit_heads ()
    sequence bigint not null, hash text not null`),
];

/** The trail only grows: the database itself refuses anything else. */
const PROTECTION: Readonly<Record<EngineKind, readonly string[]>> = {
  sqlite: [
    ...['update', 'delete'].map(
      (change) => `create trigger audit_no_${change} before ${change} on audit
        begin select raise(abort, 'the audit trail only grows'); end`,
    ),
    `create trigger audit_no_replace before insert on audit
      when exists (
        select 1 from audit where organization_id = new.organization_id and sequence = new.sequence
      )
      begin select raise(abort, 'the audit trail only grows'); end`,
  ],
  postgres: [
    `create function audit_only_grows() returns trigger language plpgsql as
      $$ begin raise exception 'the audit trail only grows'; end $$`,
    `create trigger audit_only_grows before update or delete or truncate on audit
      for each statement execute function audit_only_grows()`,
    'alter table audit enable always trigger audit_only_grows',
  ],
};
