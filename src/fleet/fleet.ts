/**
 * The port to the management service. Readers and the writer are separate types, so that a command that only reads
 * can't reach a write. Reads throw {@link FleetFailure}, which one catch in the caller's flow handles; a write
 * returns its outcome, because a lost answer is expected.
 */
import type { Instant } from '../lib/clock.ts';
import type { DeviceId, EventId, GroupId, PolicyId, QueueEntryId, ServiceUserId } from '../lib/ids.ts';
import type { FleetCommand } from './model/actions.ts';
import type {
  ChangeFault,
  DeviceChange,
  DeviceField,
  GroupChange,
  GroupField,
  NewGroup,
  NewPolicy,
  PolicyChange,
  PolicyField,
  TagChange,
} from './model/changes.ts';
import type {
  Device,
  DevicePackage,
  FleetEvent,
  Group,
  Organization,
  Package,
  Policy,
  PreviewedDevice,
  QueueEntry,
} from './model/resources.ts';

/** Why Patchbay itself did not send a call. */
export type HeldCause =
  | { readonly kind: 'breaker'; readonly failures: number; readonly retryInMs: number }
  /** Our own limit; a pause that the service asked for; too many other calls; the process, or the claim, was too old. */
  | { readonly kind: 'limit' | 'pause' | 'crowded' | 'stopping' | 'delayed' | 'no-batches' };

/** Every way a call can go wrong. `detail` is short, safe to show and never holds the key. */
export type FleetError = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path template, such as `/servers/{id}`: no values. */
  readonly path: string;
  readonly status: number | null;
  readonly detail: string;
  /** The service's own id of the request, to quote to its operators; null when it sent none. */
  readonly reference?: string | null;
  /** A 2xx with an error, or a web page: a write may have been turned down, or carried out all the same. */
  readonly declined?: true;
  /** Patchbay itself did not send it: the service never saw it. */
  readonly held?: HeldCause;
  /** Why it could not be sent as it was asked: the service never saw it. */
  readonly fault?: ChangeFault;
} & (
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timeout' }
  /** 401: bad, expired or disabled key. */
  | { readonly kind: 'unauthorized' }
  /** 402 and 403: the key lacks the right, or the thing is gone (an absent group answers 403). */
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'missing' }
  /** 400, 409, 413, 422: the request was wrong. */
  | { readonly kind: 'invalid' }
  | { readonly kind: 'throttled'; readonly retryAfterMs: number }
  /** 5xx. */
  | { readonly kind: 'broken' }
  /** Not JSON, cut short, or not the shape of the interface. */
  | { readonly kind: 'unreadable' }
  /** Longer than the size limit. */
  | { readonly kind: 'too-large' }
);

export class FleetFailure extends Error {
  readonly error: FleetError;

  constructor(error: FleetError) {
    super(`${error.method} ${error.path}: ${error.kind}${error.status === null ? '' : ` (${error.status})`}`);
    this.name = 'FleetFailure';
    this.error = error;
  }
}

/** Whether the service rejected our API key. Every read fails with it, so one log line is enough. */
export function isKeyRejected(error: unknown): boolean {
  return error instanceof FleetFailure && error.error.kind === 'unauthorized';
}

/** In the order of their turns: what a person reads, what changes the fleet, and work that nobody waits for. */
export const LANES = ['person', 'write', 'background'] as const;
export type Lane = (typeof LANES)[number];
export type ReadOptions = {
  /** Absent: background. */
  readonly lane?: Lane;
  /** For the whole read, with retries and pages, in milliseconds of wall time. Absent: the client's default. */
  readonly deadlineMs?: number;
  /** Its abort ends the read with its reason, not with a {@link FleetFailure}. */
  readonly signal?: AbortSignal;
};

export type FleetPage<T> = {
  readonly rows: readonly T[];
  /** Grand total of the query, where the service gives one. */
  readonly total: number | null;
  /** Rows that could not be read at all and were left out. */
  readonly unreadable: number;
  /** Rows of another organization that were left out; only lists of events have any. */
  readonly foreignRows?: number;
  /** Rows that the service marks as deleted. They are left out, and not counted in `total`. */
  readonly deletedIds?: readonly number[];
  /** On the last page of a walk: how many rows of `total` are missing at most, some perhaps removed meanwhile. */
  readonly shortfall?: number;
};

/** The filters of §4.5 that are sent, ANDed; absent ones do not filter. Others are answered from the device index. */
export type FleetDeviceQuery = {
  /** Only devices in this very group, not in its children. */
  readonly groupId?: GroupId;
  /** Any available patch is not installed (`patchStatus=missing`). */
  readonly missingPatches?: true;
  /** A version of PowerShell (`PS_VERSION`); how it is compared is not documented. */
  readonly shellVersion?: string;
  /** With `detail`, which newer services leave out of lists. */
  readonly withDetails?: true;
  /** Leaves `policyStatuses` empty and the answer smaller. */
  readonly withoutPolicyStatus?: boolean;
};
/** The filters of §4.9, all of them ANDed. */
export type FleetEventFilter = {
  readonly deviceId?: DeviceId;
  readonly policyId?: PolicyId;
  readonly userId?: ServiceUserId;
  readonly name?: string;
  /** Day (UTC) after which events are wanted; whether it is inclusive is not documented. */
  readonly after?: Instant;
  /** Day (UTC) before which events are wanted; whether it is inclusive is not documented. */
  readonly before?: Instant;
};
export type FleetEventQuery = FleetEventFilter & { readonly pageSize?: number };

export type FleetReader = {
  readonly devices: (query?: FleetDeviceQuery, options?: ReadOptions) => AsyncIterable<FleetPage<Device>>;
  /** `missing`, too, where the service keeps the record and marks it as deleted (§2.2). */
  readonly device: (id: DeviceId, options?: ReadOptions) => Promise<Device>;
  /** The devices that filters match (§4.2). */
  readonly preview: (query: PreviewQuery, options?: ReadOptions) => AsyncIterable<FleetPage<PreviewedDevice>>;
  readonly packages: (id: DeviceId, options?: ReadOptions) => AsyncIterable<FleetPage<Package>>;
  /** Ignored ones too. A service without this list answers `missing`, or `unreadable` where it ignores the filter. */
  readonly missingPackages: (options?: ReadOptions) => AsyncIterable<FleetPage<DevicePackage>>;
  readonly queue: (id: DeviceId, options?: ReadOptions) => Promise<readonly QueueEntry[]>;
  /** One entry of the queue; null when the service does not know it, or no longer does. */
  readonly queueEntry: (
    id: DeviceId,
    entry: QueueEntryId,
    options?: ReadOptions,
  ) => Promise<QueueEntry | null>;
  /** Newest first on the live service; the order is not documented, so callers must not rely on it. */
  readonly events: (query?: FleetEventQuery, options?: ReadOptions) => AsyncIterable<FleetPage<FleetEvent>>;
  /** How many events match, without reading them. */
  readonly countEvents: (filter?: FleetEventFilter, options?: ReadOptions) => Promise<number>;
  readonly groups: (options?: ReadOptions) => AsyncIterable<FleetPage<Group>>;
  /** A deleted group answers 403, like one that may not be seen: the list of groups tells them apart. */
  readonly group: (id: GroupId, options?: ReadOptions) => Promise<Group>;
  readonly policies: (options?: ReadOptions) => AsyncIterable<FleetPage<Policy>>;
  readonly policy: (id: PolicyId, options?: ReadOptions) => Promise<Policy>;
  /** Every organization that the key sees, not only the configured one. */
  readonly organizations: (options?: ReadOptions) => AsyncIterable<FleetPage<Organization>>;
};

/** Never reached the service, or turned away unread (429). `retryAfterMs` (clock): when to send it; null: unknown. */
export type UnsentWrite = {
  readonly kind: 'unsent';
  readonly error: FleetError;
  readonly retryAfterMs: number | null;
};

/** What became of a write that the service is not known to have accepted. */
export type UnacceptedWrite =
  /** Stopped before it was sent: changes are paused, that could not be read just now, or the caller's options said no. */
  | { readonly kind: 'withheld' }
  | UnsentWrite
  /** Certainly not carried out; `invalid` with status null where Patchbay itself turned it down. */
  | { readonly kind: 'refused'; readonly error: FleetError }
  /** It may have happened: the answer was lost. Never sent again automatically (no idempotency key, §4.3). */
  | { readonly kind: 'unknown'; readonly error: FleetError };

export type IssueOutcome = { readonly kind: 'accepted' } | UnacceptedWrite;

export type WriteOptions = {
  /** Asked at the last moment before the write leaves: where it says no, the write is withheld. Absent: yes. */
  readonly mayStart?: () => boolean;
  /** Absent: that of writes, which people wait for. */
  readonly lane?: Exclude<Lane, 'person'>;
};

export type FleetWriter = {
  /** `POST /servers/{id}/queues` (§4.3), once. */
  readonly issue: (id: DeviceId, command: FleetCommand, options?: WriteOptions) => Promise<IssueOutcome>;
};

/** Sorts events by id, highest first: their times have no zone, and the service promises no order. */
export function byIdDescending(a: { readonly id: EventId }, b: { readonly id: EventId }): number {
  return b.id - a.id;
}

export type EditOutcome<T> = { readonly kind: 'done'; readonly result: T } | UnacceptedWrite;

/** What reading back shows about the fields of a change. */
export type ReadBackFindings<Field extends string> = {
  /** They read differently than they were sent. */
  readonly notApplied: readonly Field[];
  /** They were sent, and the service does not show them. */
  readonly unconfirmed: readonly Field[];
  /** This change did not set them, and they read differently than before: someone else's change, or a side effect. */
  readonly alsoChanged: readonly Field[];
};

/** `after` null: it could not be read back, and every field that was sent is unconfirmed. */
export type AppliedChange<T, Field extends string> = ReadBackFindings<Field> & { readonly after: T | null };

/** The answer echoes neither `wsus` nor `policyIds` (§4.1): those are known to have been sent, not to be set. */
export type CreatedGroup = { readonly group: Group } & Omit<ReadBackFindings<GroupField>, 'alsoChanged'>;

export type TagResult = {
  readonly deviceId: DeviceId;
  readonly outcome: EditOutcome<AppliedChange<Device, 'tags'>>;
};

/** What reading shows after a removal that the service took. `gone` false: it still shows the thing, or can't be read. */
export type Removed = { readonly gone: boolean };

/** Other than commands (§4.1, §4.4, §4.10), each sent at most once, and the reads that check a lost answer. */
export type FleetEditor = {
  /** Compares with the wanted change, as the next two do. Throws FleetFailure. */
  readonly checkDevice: (id: DeviceId, change: DeviceChange) => Promise<AppliedChange<Device, DeviceField>>;
  readonly checkGroup: (id: GroupId, change: GroupChange) => Promise<AppliedChange<Group, GroupField>>;
  readonly checkPolicy: (id: PolicyId, change: PolicyChange) => Promise<AppliedChange<Policy, PolicyField>>;
  readonly createGroup: (group: NewGroup, options?: WriteOptions) => Promise<EditOutcome<CreatedGroup>>;
  readonly updateGroup: (
    id: GroupId,
    change: GroupChange,
    options?: WriteOptions,
  ) => Promise<EditOutcome<AppliedChange<Group, GroupField>>>;
  /** Its devices move to the Default Group. */
  readonly deleteGroup: (id: GroupId, options?: WriteOptions) => Promise<EditOutcome<Removed>>;
  readonly updateDevice: (
    id: DeviceId,
    change: DeviceChange,
    options?: WriteOptions,
  ) => Promise<EditOutcome<AppliedChange<Device, DeviceField>>>;
  /** 500 at once. Null: the service has no such endpoint, and nothing was changed. */
  readonly tagDevices: (
    ids: readonly DeviceId[],
    change: TagChange,
    options?: WriteOptions,
  ) => Promise<readonly TagResult[] | null>;
  /** Irreversible; a live agent registers again as another device. */
  readonly deleteDevice: (id: DeviceId, options?: WriteOptions) => Promise<EditOutcome<Removed>>;
  /** The service answers without an id, so the policy is found by its name and read back. */
  readonly createPolicy: (
    policy: NewPolicy,
    options?: WriteOptions,
  ) => Promise<EditOutcome<AppliedChange<Policy, PolicyField>>>;
  readonly updatePolicy: (
    id: PolicyId,
    change: PolicyChange,
    options?: WriteOptions,
  ) => Promise<EditOutcome<AppliedChange<Policy, PolicyField>>>;
};

/** A field with the operators that it supports. Clauses are ANDed; values of one clause are ORed. */
export type DevicePreviewFilter =
  | {
      readonly field: 'os_family' | 'os_version_id';
      readonly op: 'in' | 'not_in';
      readonly values: readonly string[];
    }
  | {
      /** `organizational_unit`: the live service alone. */
      readonly field: 'ip_addr' | 'tag' | 'hostname' | 'organizational_unit';
      readonly op: 'like_any' | 'not_like_any';
      readonly values: readonly string[];
    };

/** Maximum rows of a preview page (§4.2). */
export const MAX_PREVIEW_PAGE = 200;

export type PreviewQuery = {
  readonly filters: readonly DevicePreviewFilter[];
  /** At least one: without a group the live service answers 500, so it is refused here. */
  readonly groupIds: readonly GroupId[];
  /** 1 to 200; absent: 200. */
  readonly pageSize?: number;
  /** Number of the first page to read; absent: 0. */
  readonly firstPage?: number;
};
