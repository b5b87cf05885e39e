/** What a person's Home shows: chosen by role from what is known. Pure. */
import { checkPermission, type Role } from '../../lib/access.ts';
import { DAY, type Instant, later } from '../../lib/clock.ts';
import { type ChannelId, cardKey, operationCardKey, type PersonId, type UserGroupId } from '../../lib/ids.ts';
import type {
  AlertRecord,
  ApprovalRecord,
  CardKey,
  OperationRecord,
  RecentOperation,
} from '../../store/port/records.ts';
import type { PauseRecord } from '../../store/port/settings-records.ts';
import type { ActiveTrouble } from '../models/health-model.ts';

/** Whom somebody without a role can ask for one. */
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
};
export type FleetGlance =
  | ({
      readonly kind: 'counted';
      readonly asOf: Instant;
      /** So many devices at the most could not be counted. */
      readonly unlisted: number;
      /** The fleet was not read to its end yet. */
      readonly partial: boolean;
      /** It should be newer, but the service did not give it. */
      readonly overdue: boolean;
    } & FleetCounts)
  /** Being read for the first time. */
  | { readonly kind: 'reading' }
  /** The service could not be asked, and nothing is known from before. */
  | { readonly kind: 'unread' };

export type BotStatus = {
  readonly slack: boolean;
  readonly database: boolean;
  /** When the event log was last read; null: not yet. */
  readonly readAt: Instant | null;
  readonly failures: number;
  /** What is wrong with Patchbay itself. */
  readonly troubles: readonly ActiveTrouble[];
};

/** Where the rest of a list is. */
export type HomeChannels = { readonly approvals: ChannelId; readonly patchAlerts: ChannelId };

/** `unknown`: Slack does not say just now who the person is. */
export type HomeRole = Role | 'none' | 'unknown';

export type HomeData = {
  readonly person: PersonId;
  readonly role: HomeRole;
  /** Whether the person may see what is personal. */
  readonly personal: boolean;
  readonly root: string;
  readonly asOf: Instant;
  readonly deciders: RoleGranters;
  readonly channels: HomeChannels;
  /** All that wait for a decision, the newest first. */
  readonly waiting: readonly ApprovalRecord[];
  /** What the person asked for, the newest first. */
  readonly requests: readonly ApprovalRecord[];
  /** What runs or ran for the person, the newest first. */
  readonly operations: readonly RecentOperation[];
  /** Patches that failed, the newest first. */
  readonly failures: readonly AlertRecord[];
  readonly fleet: FleetGlance;
  readonly health: BotStatus;
  /** Null: changes are not paused. */
  readonly pause: PauseRecord | null;
};

/** The first rows of a list; `more` are known of besides. */
export type VisibleRows<T> = {
  readonly rows: readonly T[];
  readonly more: number;
  /** Not all were read: there may be still more. */
  readonly isMinimum: boolean;
};

/** Of each list so many rows are read: more than is shown, so that the rest is counted. */
export const MAX_READ_ROWS = 100;

export type HomeView =
  | { readonly kind: 'stranger'; readonly root: string; readonly deciders: RoleGranters }
  | { readonly kind: 'unsure' }
  | {
      readonly kind: 'home';
      readonly role: Role;
      readonly personal: boolean;
      readonly root: string;
      readonly asOf: Instant;
      readonly channels: HomeChannels;
      /** Null: not for this role. */
      readonly waiting: VisibleRows<ApprovalRecord> | null;
      readonly requests: VisibleRows<ApprovalRecord> | null;
      readonly operations: VisibleRows<RecentOperation> | null;
      readonly fleet: FleetGlance;
      readonly failures: VisibleRows<AlertRecord>;
      readonly health: BotStatus;
      readonly pause: PauseRecord | null;
    };

/** Rows of each list: all of them together keep well below the 100 blocks of a Home. */
const VISIBLE_ROWS = 5;
/** What ended longer ago is no news to the one who asked. */
export const RECENT_MS = DAY;

/** Chooses what this person sees: decisions for approvers, their own work for operators, the fleet for all with a role. */
export function homeView(facts: HomeData): HomeView {
  const { role, personal, root, asOf, person, channels, fleet, health, pause } = facts;
  if (role === 'unknown') return { kind: 'unsure' };
  if (role === 'none') return { kind: 'stranger', root, deciders: facts.deciders };
  const proposes = checkPermission(role, 'propose').allowed;
  const since = later(asOf, -RECENT_MS);
  return {
    kind: 'home',
    role,
    personal,
    root,
    asOf,
    channels,
    waiting: checkPermission(role, 'approve').allowed
      ? visibleRows(pendingForPerson(facts.waiting, person), facts.waiting)
      : null,
    requests: proposes ? visibleRows(ownRequests(facts.requests, since), facts.requests) : null,
    operations: proposes ? visibleRows(ownOperations(facts.operations, since), facts.operations) : null,
    fleet,
    failures: visibleRows(
      facts.failures.filter(({ createdAt }) => createdAt >= since),
      facts.failures,
    ),
    health,
    pause,
  };
}

/** The cards that the Home links to. */
export function linkedCards(view: HomeView): readonly CardKey[] {
  if (view.kind !== 'home') return [];
  const approvals = [...(view.waiting?.rows ?? []), ...(view.requests?.rows ?? [])];
  return [
    ...approvals.map(({ id }) => cardKey('approval', id)),
    ...(view.operations?.rows ?? []).map(operationCardKey),
    ...view.failures.rows.map(({ id }) => cardKey('alert', id)),
  ];
}

export function isOpen({ targets }: OperationRecord): boolean {
  return targets.some(({ endedAt }) => endedAt === null);
}

/** Nobody decides their own; what expires first comes first. */
function pendingForPerson(waiting: readonly ApprovalRecord[], person: PersonId): readonly ApprovalRecord[] {
  return waiting
    .filter(({ requesterId }) => requesterId !== person)
    .toSorted((a, b) => a.expiresAt - b.expiresAt);
}

/** Those that wait, then what ended without a command. What was carried out is an operation. */
function ownRequests(requests: readonly ApprovalRecord[], since: Instant): readonly ApprovalRecord[] {
  const waiting = requests.filter(({ state }) => state === 'waiting');
  const ended = requests.filter(
    ({ state, operationId, createdAt }) => state !== 'waiting' && operationId === null && createdAt >= since,
  );
  return [...waiting, ...ended];
}

/** What still runs comes first. */
function ownOperations(operations: readonly RecentOperation[], since: Instant): readonly RecentOperation[] {
  const ended = operations.filter((one) => !isOpen(one) && one.createdAt >= since);
  return [...operations.filter(isOpen), ...ended];
}

/** `read`: what these were chosen from. */
function visibleRows<T>(rows: readonly T[], read: readonly T[]): VisibleRows<T> {
  return {
    rows: rows.slice(0, VISIBLE_ROWS),
    more: Math.max(rows.length - VISIBLE_ROWS, 0),
    isMinimum: read.length >= MAX_READ_ROWS,
  };
}
