/**
 * Records what a part of a poll says: which members failed, which were proven or removed, and what channels are to show of
 * it. In one transaction, in which nobody else records: the caller holds the cursor of the event log.
 */
import { DAY, type Instant, later } from '../lib/clock.ts';
import type { DeviceId, OrganizationId } from '../lib/ids.ts';
import type {
  AlertEnding,
  AlertEvent,
  AlertMember,
  AlertRecord,
  Delivery,
  MemberCount,
} from '../store/port/alert-records.ts';
import type { StoreTables } from '../store/port/store.ts';
import { type ChangedPlaces, cardPlace, drawCards } from './draw-cards.ts';
import { deviceEnding, deviceOfEnding, membersOf } from './life/facts.ts';
import { alertKey } from './life/grouping.ts';
import { isAfter } from './life/member.ts';
import { type KnownAlerts, type Placement, placeEvents, type RoutedEvent, withStates } from './life/place.ts';
import {
  type AlertRouting,
  channelsFor,
  configuredChannel,
  type DeviceLabelMap,
  silencesFor,
} from './routing.ts';

/** A failure that is listed later than this after its end opens its member all the same. */
const ENDING_KEPT_MS = DAY;

type RecordOptions = {
  readonly tables: StoreTables;
  readonly organizationId: OrganizationId;
  readonly routing: AlertRouting;
  readonly labels: DeviceLabelMap;
  readonly now: Instant;
};

type PartOfPoll = { readonly alerts: readonly AlertEvent[]; readonly endings: readonly AlertEnding[] };

/** Returns how many events channels are notified of, now or at the end of a silence. */
export async function recordEvents(
  options: RecordOptions,
  { alerts, endings: found }: PartOfPoll,
): Promise<number> {
  const { tables, now } = options;
  const endings = latestOf(found);
  if (endings.size > 0) await tables.members.putEndings([...endings.values()]);
  const routed = await newEvents(options, alerts);
  if (routed.length === 0 && endings.size === 0) return 0;
  const known = await readKnown(options, routed, endings);
  const placement = placeEvents(routed, known, options);
  if (placement.members.length === 0) return 0;
  await tables.alerts.addEvents(placement.events);
  await tables.members.put(placement.members);
  const places = await deliver(options, placement);
  const counts = await tables.members.counts(placement.alerts.map(({ id }) => id));
  const after = placement.alerts.map((alert) => withStates(alert, statesOf(alert, counts), now));
  await tables.alerts.put(after);
  await drawCards(tables, { alerts: after, counts, ...places, now });
  return routed.length;
}

/** What ended members so long ago that no failure is listed before it any more. */
export async function forgetEndings({ members }: Pick<StoreTables, 'members'>, now: Instant): Promise<void> {
  await members.forgetEndings(later(now, -ENDING_KEPT_MS));
}

/** Those that a channel gets, and that no other poll stored. */
async function newEvents(
  { tables, routing, labels }: RecordOptions,
  alerts: readonly AlertEvent[],
): Promise<readonly RoutedEvent[]> {
  const routed = alerts.flatMap((event): readonly RoutedEvent[] => {
    const channels = channelsFor(event, routing, labels);
    const home = configuredChannel(event.kind, routing.channels);
    return channels.length === 0 ? [] : [{ event, channels, home }];
  });
  if (routed.length === 0) return [];
  const known = await tables.alerts.known(routed.map(({ event }) => event));
  return routed.filter(({ event }) => !known.has(event.id));
}

async function readKnown(
  { tables, organizationId }: RecordOptions,
  routed: readonly RoutedEvent[],
  endings: ReadonlyMap<string, AlertEnding>,
): Promise<KnownAlerts> {
  const failing = routed.flatMap(({ event }) => membersOf(event, organizationId));
  const removed = (device: DeviceId | null) => (device === null ? [] : [deviceEnding(device)]);
  const named = failing.flatMap(({ id, deviceId }) => [id, ...removed(deviceId)]);
  const earlier = named.length === 0 ? [] : await tables.members.endings([...new Set(named)]);
  const all = latestOf([...earlier, ...endings.values()]);
  const latest = await tables.members.latest([
    ...new Set([...failing.map(({ id }) => id), ...endings.keys()]),
  ]);
  const devices = [...endings.keys()].flatMap((of) => deviceOfEnding(of) ?? []);
  const open = await tables.members.openOf(devices);
  const members = [...new Map([...open, ...latest].map((member) => [member.id, member])).values()];
  const keys = new Set(routed.map(({ event, home }) => alertKey(event, home)));
  const [byKey, own] = [
    await tables.alerts.byKeys([...keys]),
    await tables.alerts.get([...new Set(members.map(({ alert }) => alert))]),
  ];
  const alerts = [...new Map([...own, ...byKey].map((alert) => [alert.id, alert])).values()];
  return { members, alerts, endings: all };
}

function latestOf(endings: readonly AlertEnding[]): ReadonlyMap<string, AlertEnding> {
  const latest = new Map<string, AlertEnding>();
  for (const ending of endings) {
    const { at = null, event = null } = latest.get(ending.of) ?? {};
    if (isAfter(ending, at, event)) latest.set(ending.of, ending);
  }
  return latest;
}

/** Each member goes to each of its channels once: to the card, or into one silence. */
async function deliver(options: RecordOptions, { named, opened }: Placement): Promise<ChangedPlaces> {
  const { tables } = options;
  const places = named.flatMap(({ channels, event, member }) =>
    channels.map((channel) => ({ channel, event, member, alert: member.alert })),
  );
  const stored = new Map<string, Delivery>();
  const members = new Map(places.map(({ member, alert }) => [member.id, { member: member.id, alert }]));
  for (const one of await tables.deliveries.of([...members.values()])) stored.set(placeOf(one), one);
  const hold = createHold(options);
  const added = new Map<string, Delivery>();
  const [opening, loud, quiet] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { channel, event, member, alert } of places) {
    const place = { alert, channel, member: member.id };
    const known = added.get(placeOf(place)) ?? stored.get(placeOf(place));
    const before = known?.silence ?? null;
    const held = await hold(member, event, before);
    // What a card shows already stays there: an edit tells nobody.
    const onCard = held === null || known?.onCard === true;
    const delivery = { ...place, onCard, silence: held ?? before };
    if (known?.silence !== delivery.silence || known.onCard !== onCard) added.set(placeOf(place), delivery);
    const isNew = known?.onCard !== true || opened.has(member.id);
    if (held === null && isNew && isShown(member)) opening.add(cardPlace(place));
    (held === null ? loud : quiet).add(cardPlace(place));
  }
  await tables.deliveries.put([...added.values()]);
  return { opening, quiet: quiet.difference(loud) };
}

const placeOf = ({ alert, member, channel }: Pick<Delivery, 'alert' | 'member' | 'channel'>) =>
  `${channel} ${alert} ${member}`;

/** What was fixed before anybody could see it needs no card. */
const isShown = ({ state }: AlertMember) => state === 'open' || state === 'noted';

/** Finds the silence that holds a member: it counts it once, for however many channels. */
function createHold({ tables, routing, labels, now }: RecordOptions) {
  const counted = new Set<string>();
  return async (member: AlertMember, event: AlertEvent, heldBy: number | null): Promise<number | null> => {
    for (const silence of silencesFor(event, routing, labels, now)) {
      const count = `${silence} ${member.id}`;
      const isCounted = silence === heldBy || counted.has(count);
      // A silence that has just ended has already posted its count.
      if (!isCounted && !(await tables.silences.holdAlert(silence))) continue;
      counted.add(count);
      return silence;
    }
    return null;
  };
}

function statesOf({ id }: AlertRecord, counts: readonly MemberCount[]) {
  const own = counts.filter(({ alert, channel }) => alert === id && channel === null);
  return new Set(own.map(({ state }) => state));
}
