/** Enqueues the cards of alerts that changed: a first post, an edit at its pace, or a new post in place of an old card. */
import type { Instant } from '../lib/clock.ts';
import { type AlertId, alertCardKey, type ChannelId } from '../lib/ids.ts';
import type { AlertCardRecord, AlertRecord, MemberCount } from '../store/port/alert-records.ts';
import type { StoreTables } from '../store/port/store.ts';
import { isPostedAnew, nextDrawing } from './life/pace.ts';

/** An alert in a channel, where it has one card. */
type Place = { readonly alert: AlertId; readonly channel: ChannelId };

export const cardPlace = ({ alert, channel }: Place): string => `${channel} ${alert}`;

/** `opening`: the card shows a member that is newly open. `quiet`: silences held all that failed. */
export type ChangedPlaces = { readonly opening: ReadonlySet<string>; readonly quiet: ReadonlySet<string> };

type Changes = ChangedPlaces & {
  readonly alerts: readonly AlertRecord[];
  readonly counts: readonly MemberCount[];
  readonly now: Instant;
};

type Drawing = { readonly card: AlertCardRecord; readonly before: AlertCardRecord | undefined };

export async function drawCards(
  tables: Pick<StoreTables, 'alerts' | 'cards'>,
  { alerts, counts, opening, quiet, now }: Changes,
): Promise<void> {
  const known = Map.groupBy(await tables.alerts.cards(alerts.map(({ id }) => id)), ({ alert }) => alert);
  const counted = Map.groupBy(counts, ({ alert }) => alert);
  const drawn: AlertCardRecord[] = [];
  for (const alert of alerts)
    for (const [channel, own] of Map.groupBy(counted.get(alert.id) ?? [], (one) => one.channel)) {
      if (channel === null) continue;
      const before = known.get(alert.id)?.find((card) => card.channel === channel);
      const place = { alert: alert.id, channel };
      const isFresh = opening.has(cardPlace(place));
      const card = nextCard(place, { before, isFresh, ...countsOf(own) }, now);
      if (card === null || (quiet.has(cardPlace(place)) && card.open === before?.open)) continue;
      drawn.push(card);
      await enqueue(tables, alert, { card, before });
    }
  await tables.alerts.putCards(drawn);
}

function countsOf(counts: readonly MemberCount[]) {
  const sum = (some: readonly MemberCount[]) => some.reduce((all, { members }) => all + members, 0);
  return { members: sum(counts), open: sum(counts.filter(({ state }) => state === 'open')) };
}

/** Null: there is no card, and nothing that needs one. */
function nextCard(
  place: Place,
  of: {
    readonly before: AlertCardRecord | undefined;
    readonly isFresh: boolean;
    readonly members: number;
    readonly open: number;
  },
  now: Instant,
): AlertCardRecord | null {
  const { before, isFresh, members, open } = of;
  if (before !== undefined && !(isFresh && isPostedAnew(before, now)))
    return { ...before, ...nextDrawing(before, { members, open }, now) };
  if (before === undefined && !isFresh) return null;
  const generation = before === undefined ? 0 : before.generation + 1;
  return { ...place, generation, startedAt: now, open, drawnOpen: open, drawnAt: now, dueAt: now };
}

/** The old card says where the new one is, once that is posted. */
async function enqueue(
  { cards }: Pick<StoreTables, 'cards'>,
  { home }: AlertRecord,
  { card, before }: Drawing,
): Promise<void> {
  const key = alertCardKey(card, home);
  const { channel, dueAt } = card;
  // Also where Slack refused the card before: what is new must not be lost.
  await cards.enqueue({ key, channel, fallbackPerson: null, dueAt }, { keepsEarlier: true });
  if (before !== undefined && before.generation !== card.generation)
    await cards.enqueueUpdate(alertCardKey(before, home), dueAt);
}
