/** Alerts as cards and lists show them: counts of their members, and the first of them. */
import { sql } from 'kysely';
import { instant } from '../../lib/clock.ts';
import type { AlertId, ChannelId } from '../../lib/ids.ts';
import {
  type AlertPage,
  type AlertQuery,
  type AlertRecord,
  type AlertStore,
  alertMember,
  alertRecord,
  type ShownAlert,
} from '../port/alert-records.ts';
import type { Session } from '../session.ts';
import { memberRows, onCards } from './alert-members.ts';
import { jsonColumn, ownRows, recordsOf } from './rows.ts';

export const alertRows = recordsOf(alertRecord, 'alert_groups', ({ id }: { readonly id: string }) => id);

/** Members that a card names; a button lists the others. */
const MAX_SHOWN = 10;
const MAX_REASONS = 3;
/** Names of packages on one alert; the others are counted by its list. */
const MAX_PACKAGES = 100;

export async function listAlerts(
  session: Session,
  { since, until, state, kind }: AlertQuery,
  { limit, skip }: AlertPage,
): ReturnType<AlertStore['list']> {
  const all = ownRows(session, 'alertGroups')
    .$if(since !== undefined, (rows) => rows.where('changedAt', '>=', since ?? null))
    .$if(until !== undefined, (rows) => rows.where('openedAt', '<=', until ?? null))
    .$if(state !== undefined, (rows) => rows.where('state', '=', state ?? null))
    .$if(kind !== undefined, (rows) => rows.where('kind', '=', kind ?? null));
  const { total } = await all.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow();
  const page = all
    .selectAll()
    .orderBy(({ eb }) => eb.case().when('state', '=', 'open').then(0).else(1).end())
    .orderBy('changedAt', 'desc')
    .orderBy('number', 'desc')
    .limit(limit)
    .offset(skip);
  return { total: Number(total), rows: await shownAlerts(session, await alertRows.all(page), null) };
}

/** With a channel, only members that are on its card; an alert without any is left out. */
export async function shownAlerts(
  session: Session,
  alerts: readonly AlertRecord[],
  channel: ChannelId | null,
): Promise<readonly ShownAlert[]> {
  if (alerts.length === 0) return [];
  const ids = alerts.map(({ id }) => id);
  const members = membersOf(session, ids, channel);
  const [counts, shown, reasons, packages, held, cards] = [
    await countsOf(session, members),
    await firstOf(session, members),
    await reasonsOf(session, members),
    await packagesOf(session, members),
    await heldOf(session, ids),
    await cardsOf(session, ids),
  ];
  return alerts.flatMap((alert): readonly ShownAlert[] => {
    const counted = counts.get(alert.id);
    if (counted === undefined) return [];
    return [
      {
        ...alert,
        ...counted,
        shown: shown.get(alert.id) ?? [],
        reasons: reasons.get(alert.id) ?? [],
        packages: packages.get(alert.id) ?? [],
        heldBy: held.get(alert.id) ?? null,
        card: cards(alert),
      },
    ];
  });
}

type Members = ReturnType<typeof membersOf>;

function membersOf(session: Session, ids: readonly AlertId[], channel: ChannelId | null) {
  if (channel === null) return ownRows(session, 'alertMembers').where('alert', 'in', ids).selectAll();
  const shown = onCards(session).where('deliveries.alert', 'in', ids).where('channel', '=', channel);
  return shown.selectAll('alertMembers');
}

const among = (session: Session, members: Members) => session.db().selectFrom(members.as('found'));

async function countsOf(session: Session, members: Members) {
  const rows = await among(session, members)
    .select(({ fn }) => [
      'alert',
      fn.countAll().as('members'),
      sql<number>`sum(case when state = 'open' then 1 else 0 end)`.as('open'),
      sql<number>`sum(case when state = 'closed' then 1 else 0 end)`.as('closed'),
      fn.count('deviceId').distinct().as('devices'),
      sql<number>`count(distinct case when state = 'open' then device_id end)`.as('openDevices'),
      sql<number>`count(distinct case when state in ('open', 'fixed') then device_id end)`.as('notClosed'),
      fn.max('failures').as('failures'),
      fn.min('firstAt').as('firstAt'),
      sql<number | null>`max(case when state <> 'open' then coalesce(fixed_at, closed_at) end)`.as('lastEnd'),
    ])
    .groupBy('alert')
    .execute();
  return new Map(
    rows.map(({ alert, firstAt, lastEnd, ...counted }) => {
      const openDevices = Number(counted.openDevices);
      return [
        alert,
        {
          members: Number(counted.members),
          open: Number(counted.open),
          closed: Number(counted.closed),
          devices: Number(counted.devices),
          openDevices,
          fixedDevices: Number(counted.notClosed) - openDevices,
          failures: Number(counted.failures),
          firstAt: instant(Number(firstAt)),
          lastEnd: lastEnd === null ? null : instant(Number(lastEnd)),
        },
      ] as const;
    }),
  );
}

/** Open ones first, then the oldest. */
async function firstOf(session: Session, members: Members) {
  const place = sql<number>`row_number() over (
    partition by alert order by case when state = 'open' then 0 else 1 end, failed_event, id)`;
  const placed = among(session, members).selectAll().select(place.as('place'));
  const rows = session
    .db()
    .selectFrom(placed.as('placed'))
    .selectAll()
    .where('place', '<=', MAX_SHOWN)
    .orderBy('place');
  return Map.groupBy(await memberRows.all(rows), ({ alert }) => alert);
}

async function reasonsOf(session: Session, members: Members) {
  const place = sql<number>`row_number() over (partition by alert order by count(*) desc, min(failed_event))`;
  const counted = among(session, members)
    .select(({ fn }) => ['alert', 'reason', 'exitCode', fn.countAll().as('members'), place.as('place')])
    .groupBy(['alert', 'reason', 'exitCode']);
  const rows = await session
    .db()
    .selectFrom(counted.as('counted'))
    .selectAll()
    .where('place', '<=', MAX_REASONS)
    .orderBy('place')
    .execute();
  const found = Map.groupBy(rows, ({ alert }) => alert);
  const counts = (own: typeof rows) =>
    own.map(({ reason, exitCode, members: some }) => ({ reason, exitCode, members: Number(some) }));
  return new Map([...found].map(([alert, own]) => [alert, counts(own)]));
}

/** Each name once, as its newest failure states it. */
async function packagesOf(session: Session, members: Members) {
  const place = sql<number>`row_number() over (partition by alert order by count(*) desc, min(failed_event))`;
  const counted = among(session, members)
    .select(({ fn }) => ['alert', 'packages', place.as('place'), fn.countAll().as('members')])
    .groupBy(['alert', 'packages']);
  const rows = await session
    .db()
    .selectFrom(counted.as('counted'))
    .selectAll()
    .where('place', '<=', MAX_PACKAGES)
    .orderBy('place')
    .execute();
  const found = new Map<AlertId, Map<string, ShownAlert['packages'][number]>>();
  for (const { alert, packages } of rows) {
    const names = found.get(alert) ?? new Map();
    found.set(alert, names);
    for (const one of packagesColumn.parse(packages)) {
      const same = names.get(one.name);
      // Versions may differ from device to device.
      names.set(one.name, same === undefined || same.version === one.version ? one : withoutVersion(one));
    }
  }
  return new Map([...found].map(([alert, names]) => [alert, [...names.values()]] as const));
}

const packagesColumn = jsonColumn(alertMember.shape.packages);

function withoutVersion({ version: _, ...named }: ShownAlert['packages'][number]) {
  return named;
}

/** The silence of an alert that is on no card; null where a channel shows it. */
async function heldOf(session: Session, ids: readonly AlertId[]) {
  const rows = await ownRows(session, 'deliveries')
    .where('alert', 'in', ids)
    .groupBy('alert')
    .having(({ eb, fn }) => eb(fn.max('onCard'), '=', 0))
    .select(({ fn }) => ['alert', fn.max('silence').as('silence')])
    .execute();
  return new Map(rows.map(({ alert, silence }) => [alert, Number(silence)]));
}

async function cardsOf(session: Session, ids: readonly AlertId[]) {
  const rows = await ownRows(session, 'alertCards')
    .select(['alert', 'channel', 'generation'])
    .where('alert', 'in', ids)
    .orderBy('channel')
    .execute();
  const cards = Map.groupBy(rows, ({ alert }) => alert);
  return ({ id, home }: AlertRecord): ShownAlert['card'] => {
    const own = cards.get(id) ?? [];
    const card = own.find(({ channel }) => channel === home) ?? own[0];
    return card === undefined ? null : { channel: card.channel, generation: card.generation };
  };
}
