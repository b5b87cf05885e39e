/** What a person's Home shows: chosen by role from what is known. Pure. */

import { checkPermission, type Role } from '../../lib/access.ts';
import { DAY, type Instant, later } from '../../lib/clock.ts';
import { type ChannelId, cardKey, type PersonId, requestCardKey, type UserGroupId } from '../../lib/ids.ts';
import { isHeld, standsStill } from '../../rollout/progress.ts';
import type { ShownAlert, SilenceRecord } from '../../store/port/alert-records.ts';
import type { CardKey } from '../../store/port/records.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import type { PauseRecord } from '../../store/port/settings-records.ts';
import type { UnknownTotals } from '../models/device-model.ts';
import type { ActiveTrouble } from '../models/health-model.ts';

/** Whom a person without a role can ask for one. */
export type RoleGranters = {
  readonly people: readonly PersonId[];
  readonly userGroups: readonly UserGroupId[];
};

export type FleetCounts = {
  readonly devices: number;
  readonly compliant: number;
  readonly noncompliant: number;
  readonly pending: number;
  readonly offline: number;
  readonly needsReboot: number;
  /** Of how many devices it is not known; absent: of none. */
  readonly unknown?: UnknownTotals;
};
export type FleetGlance =
  | ({
      readonly kind: 'counted';
      readonly asOf: Instant;
      /** The maximum number of devices that could not be counted. */
      readonly unlisted: number;
      /** The first read of the fleet is not complete. */
      readonly partial: boolean;
      /** A refresh is due, but the service did not answer. */
      readonly overdue: boolean;
    } & FleetCounts)
  /** Being read for the first time. */
  | { readonly kind: 'reading' }
  /** The service did not answer, and there are no earlier numbers. */
  | { readonly kind: 'unread' };

/** Channels that have the rest of a list. */
export type HomeChannels = { readonly approvals: ChannelId; readonly patchAlerts: ChannelId };

/** `unknown`: Slack did not say which user groups the person is in. */
export type HomeRole = Role | 'none' | 'unknown';

export type HomeData = {
  readonly person: PersonId;
  readonly role: HomeRole;
  /** Whether the person may see personal data. */
  readonly personal: boolean;
  readonly root: string;
  readonly asOf: Instant;
  readonly deciders: RoleGranters;
  readonly channels: HomeChannels;
  /** All that wait for a decision, the oldest first. */
  readonly waiting: readonly RequestWithTargets[];
  /** What the person asked for, the newest first. */
  readonly requests: readonly RequestWithTargets[];
  /** All rollouts that run, or that something holds, the newest first. */
  readonly rollouts: readonly RequestWithTargets[];
  /** Patches that failed, the newest first, those that a silence held among them. */
  readonly failures: readonly ShownAlert[];
  readonly silences: readonly SilenceRecord[];
  /** When the event log was last read; null: never. */
  readonly eventsReadAt: Instant | null;
  readonly fleet: FleetGlance;
  /** What is wrong with Patchbay itself. */
  readonly troubles: readonly ActiveTrouble[];
  /** Null: changes are not paused. */
  readonly pause: PauseRecord | null;
};

/** The first rows of a list, and how many more are known. */
export type VisibleRows<T> = {
  readonly rows: readonly T[];
  readonly more: number;
  /** The list was cut when it was read, so there may be more than `more`. */
  readonly isMinimum: boolean;
};

/** Rows read of each list: more than are shown, so that the rest can be counted. */
export const MAX_READ_ROWS = 100;

export type HomeView =
  | { readonly kind: 'stranger'; readonly root: string; readonly deciders: RoleGranters }
  | { readonly kind: 'unsure' }
  | (Omit<HomeData, 'role' | 'waiting' | 'requests' | 'rollouts' | 'failures'> & {
      readonly kind: 'home';
      readonly role: Role;
      /** Rollouts that are held, then requests. Null: not for this role. */
      readonly waiting: VisibleRows<RequestWithTargets> | null;
      readonly requests: VisibleRows<RequestWithTargets> | null;
      /** Of others. */
      readonly rollouts: VisibleRows<RequestWithTargets>;
      /** Only what was posted. */
      readonly failures: VisibleRows<ShownAlert>;
      /** How many failed patches silences held. */
      readonly held: number;
    });

/** Rows shown of each list: together they stay well below Slack's 100 blocks. */
const VISIBLE_ROWS = 5;
/** What ended longer ago is left out. */
export const RECENT_MS = DAY;

/** Chooses what this person sees: decisions for approvers, their own work for operators, the fleet for all with a role. */
export function homeView(facts: HomeData): HomeView {
  const { role, root, asOf, person, deciders } = facts;
  if (role === 'unknown') return { kind: 'unsure' };
  if (role === 'none') return { kind: 'stranger', root, deciders };
  const proposes = checkPermission(role, 'propose').allowed;
  const decides = checkPermission(role, 'approve').allowed;
  const since = later(asOf, -RECENT_MS);
  const rollouts = facts.rollouts.filter(({ requesterId }) => requesterId !== person || !proposes);
  const isForPerson = (rollout: RequestWithTargets) => decides && isHeld(rollout);
  return {
    ...facts,
    kind: 'home',
    role,
    waiting: decides
      ? visibleRows(
          [...rollouts.filter(isForPerson), ...pendingForPerson(facts.waiting, person)],
          facts.waiting,
        )
      : null,
    requests: proposes ? visibleRows(ownRequests(facts.requests, since), facts.requests) : null,
    rollouts: visibleRows(
      rollouts.filter((rollout) => !isForPerson(rollout)),
      facts.rollouts,
    ),
    failures: visibleRows(
      facts.failures.filter(({ heldBy }) => heldBy === undefined),
      facts.failures,
    ),
    held: facts.failures.reduce((sum, { heldBy, storm }) => sum + (heldBy ? (storm?.alerts ?? 1) : 0), 0),
  };
}

/** The cards that the Home links to. */
export function linkedCards(view: HomeView): readonly CardKey[] {
  if (view.kind !== 'home') return [];
  const requests = [view.waiting?.rows ?? [], view.requests?.rows ?? [], view.rollouts.rows].flat();
  return [...requests.map(requestCardKey), ...view.failures.rows.map(({ id }) => cardKey('alert', id))];
}

/** Without the person's own requests, which others decide. The oldest comes first, however often it went back. */
function pendingForPerson(
  waiting: readonly RequestWithTargets[],
  person: PersonId,
): readonly RequestWithTargets[] {
  return waiting
    .filter(({ requesterId }) => requesterId !== person)
    .toSorted((a, b) => a.createdAt - b.createdAt);
}

/** What waits or stands still, then what runs, then what ended lately. */
function ownRequests(requests: readonly RequestWithTargets[], since: Instant): readonly RequestWithTargets[] {
  const isOpen = ({ state }: RequestWithTargets) => state === 'approved' || state === 'running';
  const ended = requests.filter((one) => one.state !== 'waiting' && !isOpen(one) && one.createdAt >= since);
  const running = requests.filter((one) => isOpen(one) && !standsStill(one));
  return [...requests.filter(standsStill), ...running, ...ended];
}

/** `read`: all rows that were read, from which `rows` were chosen. */
function visibleRows<T>(rows: readonly T[], read: readonly T[]): VisibleRows<T> {
  return {
    rows: rows.slice(0, VISIBLE_ROWS),
    more: Math.max(rows.length - VISIBLE_ROWS, 0),
    isMinimum: read.length >= MAX_READ_ROWS,
  };
}
