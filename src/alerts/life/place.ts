/** What becomes of members when events fail or end them, and which alert each event is on. Pure. */
import type { Instant } from '../../lib/clock.ts';
import type { AlertId, ChannelId, OrganizationId } from '../../lib/ids.ts';
import type {
  AlertEnding,
  AlertEvent,
  AlertMember,
  AlertRecord,
  MemberState,
} from '../../store/port/alert-records.ts';
import { deviceEnding, membersOf } from './facts.ts';
import { alertKey, takesMembers } from './grouping.ts';
import { withFailure, withProof, withRemoval } from './member.ts';

/** An event that reached channels. `home`: the one that the configuration file sets for its kind. */
export type RoutedEvent = {
  readonly event: AlertEvent;
  readonly channels: readonly ChannelId[];
  readonly home: ChannelId | null;
};

/** What is stored of the members and alerts that the events may concern, and what ended them. */
export type KnownAlerts = {
  readonly members: readonly AlertMember[];
  readonly alerts: readonly AlertRecord[];
  readonly endings: ReadonlyMap<string, AlertEnding>;
};

export type Placement = {
  readonly events: readonly (AlertEvent & { readonly alert: AlertId })[];
  /** Members that are new or changed. */
  readonly members: readonly AlertMember[];
  /** Their alerts, as they were. */
  readonly alerts: readonly AlertRecord[];
  /** Members that are open now and were not. */
  readonly opened: ReadonlySet<string>;
  /** The member and its channels, for each that an event named. */
  readonly named: readonly (RoutedEvent & { readonly member: AlertMember })[];
};

export function placeEvents(
  routed: readonly RoutedEvent[],
  known: KnownAlerts,
  { organizationId, now }: { readonly organizationId: OrganizationId; readonly now: Instant },
): Placement {
  const before = new Map(known.members.map((member) => [member.id, member]));
  const members = new Map(before);
  const alerts = new Map(known.alerts.map((alert) => [alert.id, alert]));
  const byKey = new Map(
    known.alerts.toSorted((a, b) => a.openedAt - b.openedAt).map((one) => [one.key, one]),
  );
  const named: (RoutedEvent & { readonly member: AlertMember })[] = [];
  const events: (AlertEvent & { readonly alert: AlertId })[] = [];

  const alertFor = ({ event, home }: RoutedEvent): AlertId => {
    const key = alertKey(event, home);
    const latest = byKey.get(key);
    if (latest !== undefined && takesMembers(latest, now)) return latest.id;
    const alert = newAlert(event, { organizationId, key, home, now, before: latest });
    byKey.set(key, alert);
    alerts.set(alert.id, alert);
    return alert.id;
  };
  /** A late failure changes nothing about when its member ended. */
  const stays = (after: AlertMember): boolean => {
    const alert = alerts.get(after.alert);
    return after.state !== 'open' || (alert !== undefined && takesMembers(alert, now));
  };

  for (const one of routed) {
    const { event } = one;
    const fresh = membersOf(event, organizationId);
    const repeated = fresh.map(({ id }) => members.get(id)).find((member) => member?.state === 'open');
    let alert = repeated?.alert;
    for (const begun of fresh) {
      const same = members.get(begun.id);
      const again = same && withFailure(same, { at: event.at, event: event.eventId }, begun);
      const isKept = again !== undefined && stays(again);
      const place = isKept ? again.alert : (alert ?? alertFor(one));
      const member = withEndings(isKept ? again : { ...begun, alert: place }, known.endings);
      members.set(member.id, member);
      named.push({ ...one, member });
      alert ??= place;
    }
    events.push({ ...event, alert: alert ?? event.id });
  }
  for (const member of members.values()) members.set(member.id, withEndings(member, known.endings));

  const changed = [...members.values()].filter((member) => before.get(member.id) !== member);
  const isOpened = ({ id, state }: AlertMember) => state === 'open' && before.get(id)?.state !== 'open';
  return {
    events,
    members: changed,
    alerts: [...new Set(changed.map(({ alert }) => alert))].flatMap((id) => alerts.get(id) ?? []),
    opened: new Set(changed.filter(isOpened).map(({ id }) => id)),
    named: named.map((one) => ({ ...one, member: members.get(one.member.id) ?? one.member })),
  };
}

function withEndings(member: AlertMember, endings: ReadonlyMap<string, AlertEnding>): AlertMember {
  if (member.state === 'noted') return member;
  const proof = endings.get(member.id);
  const removal = member.deviceId === null ? undefined : endings.get(deviceEnding(member.deviceId));
  const proven = proof === undefined ? member : withProof(member, proof);
  return removal === undefined ? proven : withRemoval(proven, removal);
}

function newAlert(
  { id, eventId, kind }: AlertEvent,
  {
    before,
    now,
    ...of
  }: Pick<AlertRecord, 'organizationId' | 'key' | 'home'> & {
    readonly now: Instant;
    readonly before: AlertRecord | undefined;
  },
): AlertRecord {
  return {
    ...of,
    id,
    number: eventId,
    kind,
    state: 'open',
    openedAt: now,
    changedAt: now,
    endedAt: null,
    acknowledgedBy: null,
    acknowledgedAt: null,
    lastEndedAt: before?.endedAt ?? null,
    lastOwner: before?.acknowledgedBy ?? null,
  };
}

/** The alert after its members are in these states: it ends with the last open one, and opens again with the next. */
export function withStates(alert: AlertRecord, states: ReadonlySet<MemberState>, now: Instant): AlertRecord {
  const state = (['open', 'noted', 'fixed', 'closed'] as const).find((one) => states.has(one)) ?? 'closed';
  const isOpen = state === 'open' || state === 'noted';
  const isReopened = isOpen && alert.endedAt !== null;
  return {
    ...alert,
    state,
    changedAt: now,
    endedAt: isOpen ? null : (alert.endedAt ?? now),
    lastEndedAt: isReopened ? alert.endedAt : alert.lastEndedAt,
  };
}
