/** Members of alerts, what ended them, and where each of them goes: to the card of a channel, or into a silence. */
import { z } from 'zod';
import { chunksOf } from '../../lib/lists.ts';
import { eventField, instantField } from '../../lib/record-fields.ts';
import {
  type AlertEnding,
  type AlertMember,
  type AlertPage,
  alertMember,
  type Delivery,
  type DeliveryStore,
  type MemberQuery,
  type MemberStore,
} from '../port/alert-records.ts';
import type { Session } from '../session.ts';
import { deleteOwn, insertOwn, jsonColumn, ownRows, recordsOf, replaced } from './rows.ts';

/** Rows in one statement. */
const PART = 500;

const memberRow = alertMember.extend({ packages: jsonColumn(alertMember.shape.packages) });
export const memberRows = recordsOf(memberRow, 'alert_members', ({ id }: { readonly id: string }) => id);
const { id: _, organizationId: __, alert: ___, ...memberColumns } = alertMember.shape;

const endingRow = z.object({ of: z.string(), at: instantField, event: eventField });
const endingRows = recordsOf(endingRow, 'alert_endings', ({ of }: { readonly of: string }) => of);

export function createMemberTable(session: Session): MemberStore {
  const members = () => ownRows(session, 'alertMembers').selectAll();
  return {
    latest: async (ids) => {
      const found: AlertMember[] = [];
      for (const part of chunksOf(ids, PART))
        found.push(...(await memberRows.all(members().where('id', 'in', part).orderBy('failedAt'))));
      return [...new Map(found.map((member) => [member.id, member])).values()];
    },
    openOf: async (devices) =>
      devices.length === 0
        ? []
        : memberRows.all(members().where('state', '=', 'open').where('deviceId', 'in', devices)),
    put: async (all) => {
      const rows = all.map((member) => ({ ...member, packages: JSON.stringify(member.packages) }));
      for (const part of chunksOf(rows, PART))
        await insertOwn(session, 'alertMembers', part)
          .onConflict((conflict) =>
            conflict
              .columns(['organizationId', 'id', 'alert'])
              .doUpdateSet(replaced(Object.keys(memberColumns))),
          )
          .execute();
    },
    counts: async (alerts) => {
      if (alerts.length === 0) return [];
      const all = await ownRows(session, 'alertMembers')
        .where('alert', 'in', alerts)
        .select(({ fn }) => ['alert', 'state', fn.countAll().as('members')])
        .groupBy(['alert', 'state'])
        .execute();
      const shown = await onCards(session)
        .where('alertMembers.alert', 'in', alerts)
        .select(({ fn }) => [
          'alertMembers.alert',
          'state',
          'deliveries.channel',
          fn.countAll().as('members'),
        ])
        .groupBy(['alertMembers.alert', 'state', 'deliveries.channel'])
        .execute();
      return [...all.map((row) => ({ ...row, channel: null })), ...shown].map(({ members: some, ...row }) => {
        return { ...row, members: Number(some) };
      });
    },
    list: (query, page) => listMembers(session, query, page),
    putEndings: async (endings) => {
      for (const part of chunksOf(endings, PART))
        await insertOwn(session, 'alertEndings', part)
          .onConflict((conflict) =>
            conflict
              .columns(['organizationId', 'of'])
              .doUpdateSet(replaced(['at', 'event']))
              .whereRef('excluded.at', '>=', 'alertEndings.at'),
          )
          .execute();
    },
    endings: async (of) => {
      const found: AlertEnding[] = [];
      for (const part of chunksOf(of, PART))
        found.push(
          ...(await endingRows.all(ownRows(session, 'alertEndings').selectAll().where('of', 'in', part))),
        );
      return found;
    },
    forgetEndings: async (before) => {
      await deleteOwn(session, 'alertEndings').where('at', '<', before).execute();
    },
  };
}

/** Members with their channels, without what a silence holds. */
export function onCards(session: Session) {
  return session
    .db()
    .selectFrom('deliveries')
    .innerJoin('alertMembers', (join) =>
      join
        .onRef('alertMembers.organizationId', '=', 'deliveries.organizationId')
        .onRef('alertMembers.alert', '=', 'deliveries.alert')
        .onRef('alertMembers.id', '=', 'deliveries.member'),
    )
    .where('deliveries.organizationId', '=', session.organizationId)
    .where('onCard', '=', 1);
}

async function listMembers(
  session: Session,
  query: MemberQuery,
  { limit, skip }: AlertPage,
): ReturnType<MemberStore['list']> {
  const { channel } = query;
  const silence = query.of === 'silence' ? query.silence : null;
  const all = ownRows(session, 'alertMembers')
    .$if(query.of === 'silence' || channel !== null, (rows) =>
      rows.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('deliveries')
            .select('member')
            .where('deliveries.organizationId', '=', session.organizationId)
            .whereRef('deliveries.alert', '=', 'alertMembers.alert')
            .whereRef('deliveries.member', '=', 'alertMembers.id')
            .$if(silence === null, (delivered) => delivered.where('onCard', '=', 1))
            .$if(silence !== null, (delivered) => delivered.where('silence', '=', silence))
            .$if(channel !== null, (delivered) => delivered.where('channel', '=', channel ?? null)),
        ),
      ),
    )
    .$if(query.of === 'alert', (rows) => rows.where('alert', '=', query.of === 'alert' ? query.alert : null))
    .$if(query.of === 'alert' && query.openOnly === true, (rows) => rows.where('state', '=', 'open'));
  const { total } = await all.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow();
  const page = all
    .selectAll()
    .orderBy(({ eb }) => eb.case().when('state', '=', 'open').then(0).else(1).end())
    .orderBy('failedEvent', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(skip);
  return { total: Number(total), rows: await memberRows.all(page) };
}

type StoredDelivery = Omit<Delivery, 'onCard'> & { readonly onCard: 0 | 1 };

export function createDeliveryTable(session: Session): DeliveryStore {
  return {
    of: async (members) => {
      const wanted = new Set(members.map(({ alert, member }) => JSON.stringify([alert, member])));
      const found: StoredDelivery[] = [];
      for (const part of chunksOf(members, PART))
        found.push(
          ...(await ownRows(session, 'deliveries')
            .select(['alert', 'member', 'channel', 'onCard', 'silence'])
            .where('alert', 'in', [...new Set(part.map(({ alert }) => alert))])
            .where(
              'member',
              'in',
              part.map(({ member }) => member),
            )
            .execute()),
        );
      return found
        .filter(({ alert, member }) => wanted.has(JSON.stringify([alert, member])))
        .map((row) => ({ ...row, onCard: row.onCard === 1 }));
    },
    put: async (deliveries) => {
      const rows = deliveries.map((row): StoredDelivery => ({ ...row, onCard: row.onCard ? 1 : 0 }));
      for (const part of chunksOf(rows, PART))
        await insertOwn(session, 'deliveries', part)
          .onConflict((conflict) =>
            conflict
              .columns(['organizationId', 'alert', 'member', 'channel'])
              .doUpdateSet(replaced(['onCard', 'silence'])),
          )
          .execute();
    },
    silencedChannels: async (silence) => {
      const rows = await ownRows(session, 'deliveries')
        .select('channel')
        .distinct()
        .where('silence', '=', silence)
        .execute();
      return rows.map(({ channel }) => channel).toSorted();
    },
    silencedCounts: async (silence, channel) => {
      const rows = await session
        .db()
        .selectFrom('deliveries')
        .innerJoin('alertGroups', (join) =>
          join
            .onRef('alertGroups.organizationId', '=', 'deliveries.organizationId')
            .onRef('alertGroups.id', '=', 'deliveries.alert'),
        )
        .where('deliveries.organizationId', '=', session.organizationId)
        .where('silence', '=', silence)
        .where('channel', '=', channel)
        .select(({ fn }) => ['kind', fn.countAll().as('alerts')])
        .groupBy('kind')
        .execute();
      const counted = rows.map(({ kind, alerts }) => ({ kind, alerts: Number(alerts) }));
      return counted.toSorted((a, b) => b.alerts - a.alerts || (a.kind < b.kind ? -1 : 1));
    },
  };
}
