/** What commands and their forms read from. */

import type { Dialect } from '../../fleet/dialect.ts';
import type { FleetReader } from '../../fleet/fleet.ts';
import type { FleetAction } from '../../fleet/model/actions.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import type { MissingPatchIndex } from '../../inventory/missing-patches/missing-patch-index.ts';
import type { Permission, Role } from '../../lib/access.ts';
import type { Clock, Instant } from '../../lib/clock.ts';
import type { OrganizationId, PersonId, RequestId } from '../../lib/ids.ts';
import type { RolloutLimits } from '../../lib/rollout-limits.ts';
import type { RolloutSummary, Selection } from '../../rollout/summary.ts';
import type { CardKey, TargetFacts } from '../../store/port/records.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import type { RequestFilter, RequestStore, TargetStore } from '../../store/port/request-store.ts';
import type { PauseStore } from '../../store/port/settings-records.ts';
import type { AuditStore } from '../../store/port/store.ts';
import type { Problem } from '../../views/model.ts';
import type { HealthReport } from '../../views/models/health-model.ts';
import type { ResultCaches } from '../lists/result-cache.ts';

/** Reads of Patchbay's own records. */
export type RecordsReader = {
  /** Up to `limit` (at most 500), the newest first. */
  readonly requests: (filter: RequestFilter, limit: number) => Promise<readonly RequestWithTargets[]>;
  /** The request with all of its targets; null: there is none. */
  readonly request: (id: RequestId) => Promise<RequestWithTargets | null>;
  /** The same with its first targets, as a card shows it. */
  readonly shownRequest: (id: RequestId) => Promise<RequestWithTargets | null>;
  readonly targets: TargetStore['of'];
  /** The request that this delivery already made; null: none. */
  readonly byRequestKey: (requestKey: string) => Promise<RequestWithTargets | null>;
  readonly requestedSince: RequestStore['requestedSince'];
  readonly audit: AuditStore['latest'];
  /** The pause of all changes that goes on, or null. */
  readonly pause: PauseStore['current'];
  /** The link to a card; null if it is not posted. */
  readonly cardLink: (key: CardKey) => Promise<string | null>;
};

/** What every command reads from. */
export type SharedPorts = {
  readonly fleet: FleetReader;
  readonly inventory: Inventory;
  readonly missingPatches: Omit<MissingPatchIndex, 'start' | 'stop'>;
  /** Cached lists of more than one page. */
  readonly results: ResultCaches;
  readonly clock: Clock;
  /** What the service accepts in its configured dialect. */
  readonly dialect: Dialect;
  /** The one that everything is read from. */
  readonly organizationId: OrganizationId;
  readonly records: RecordsReader;
  readonly health: () => Promise<HealthReport>;
  /** How long a request waits for approval, in milliseconds; null: it needs none. */
  readonly approvalMs: (order: FleetAction) => number | null;
  /** What the card of a rollout says of these devices. */
  readonly summarize: (
    targets: readonly TargetFacts[],
    now: Instant,
    selection?: Selection,
  ) => RolloutSummary;
  /** From this age on, in milliseconds, a change that was asked for is not asked for or sent any more. */
  readonly maxAgeMs: number;
  /** How large a change of many devices may be. */
  readonly rollouts: RolloutLimits;
};
/** The ports of one command of one person. */
export type ReadPorts = SharedPorts & {
  readonly asker: PersonId;
  /** Rows of a list at once, where it is not drawn but sent as a file; absent: as many as a message holds. */
  readonly pageSize?: number;
  /** Why the person may not do something; null if they may. Absent in forms, which open only for people who may. */
  readonly refusal?: (need: Permission) => Promise<Problem | null>;
  /** What is planned is only explained, and never requested. */
  readonly onlyExplains?: true;
  /** The lowest role that sees personal data, if the person may not see it; absent if they may. */
  readonly personalFrom?: Role;
};
