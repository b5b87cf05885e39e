/** Views of stored records: requests, operations, the audit, and the status of Patchbay. */
import type { Instant } from '../../lib/clock.ts';
import type { DeviceId, GroupId } from '../../lib/ids.ts';
import type { AuditRecord } from '../../store/port/records.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import type { PauseRecord } from '../../store/port/settings-records.ts';
import type { Paging } from '../model.ts';
import type { HealthReport } from './health-model.ts';

/** Audit entries of one action, shown as one line. */
export type AuditActivity = {
  /** Oldest first. */
  readonly entries: readonly [AuditRecord, ...AuditRecord[]];
  /** The command that it is about; null where no entry that was read names it. */
  readonly order: AuditRecord['detail'] | null;
  /** The key of its card. */
  readonly reference: string;
};

/** Names by ID, where they are known. */
export type AuditNames = Readonly<Record<'devices' | 'groups' | 'policies', ReadonlyMap<number, string>>>;

/** A request, and a link to its card; null where it is not posted. */
export type LinkedRequest = { readonly request: RequestWithTargets; readonly link: string | null };

export type RecordView =
  /** The direct message to the requester when a request has ended. */
  | {
      readonly kind: 'told';
      readonly request: RequestWithTargets;
      /** A link to the card; null where it is not posted. */
      readonly link: string | null;
    }
  /** The direct message to requester or approver when an approved request returns for re-approval or ends unsent. */
  | {
      readonly kind: 'returned';
      readonly to: 'requester' | 'approver';
      readonly request: RequestWithTargets;
      readonly link: string | null;
    }
  | {
      readonly kind: 'approvals';
      /** True: the reader's own requests in any state. False: all that wait for approval. */
      readonly mine: boolean;
      readonly rows: readonly LinkedRequest[];
      readonly paging: Paging;
    }
  | {
      readonly kind: 'operations';
      readonly rows: readonly LinkedRequest[];
      /** How many of all have not ended. */
      readonly open: number;
      readonly paging: Paging;
    }
  | {
      readonly kind: 'audit';
      /** Null: the whole audit. */
      readonly device: DeviceId | null;
      readonly rows: readonly AuditActivity[];
      /** Lines on all pages; `paging` counts entries. */
      readonly lines: number;
      readonly names: AuditNames;
      readonly since: Instant;
      /** There were more entries than are read at once, so the oldest are missing. */
      readonly cut: boolean;
      readonly paging: Paging;
    }
  | {
      readonly kind: 'status';
      readonly health: HealthReport;
      /** Null: the devices could not be read. */
      readonly index: { readonly devices: number; readonly asOf: Instant } | null;
      /** Null: changes are not paused. */
      readonly pause: PauseRecord | null;
      readonly asOf: Instant;
    };

/** Why an edit of a device or group cannot be requested. */

export type EditProblem =
  /** Every field has the value already. */
  | { readonly kind: 'already-so'; readonly name: string }
  /** The values are longer than a card can show: at most `most` characters. */
  | { readonly kind: 'unreadable-edit'; readonly most: number }
  | { readonly kind: 'group-exists'; readonly name: string; readonly parent: string; readonly id: GroupId };
