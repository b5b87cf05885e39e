/** Views of what Patchbay remembers and of how it is doing itself. */
import type { Instant } from '../../lib/clock.ts';
import type { DeviceId, GroupId } from '../../lib/ids.ts';
import type {
  ApprovalRecord,
  AuditRecord,
  OperationRecord,
  RecentOperation,
} from '../../store/port/records.ts';
import type { PauseRecord } from '../../store/port/settings-records.ts';
import type { Paging } from '../model.ts';
import type { HealthReport } from './health-model.ts';

/** What was done in one go, as one line. */
export type AuditActivity = {
  /** In the order in which they happened. */
  readonly entries: readonly [AuditRecord, ...AuditRecord[]];
  /** What the audit says of the order that it is about; null where no entry that was looked at says it. */
  readonly order: AuditRecord['detail'] | null;
  /** What its card is found by. */
  readonly reference: string;
};

/** By number; those that are known. */
export type AuditNames = Readonly<Record<'devices' | 'groups' | 'policies', ReadonlyMap<number, string>>>;

export type RecordView =
  /** How what somebody asked for ended, for them alone. */
  | {
      readonly kind: 'told';
      readonly ended:
        | {
            readonly kind: 'approval';
            readonly approval: ApprovalRecord;
            /** Null: nothing was sent. */
            readonly operation: OperationRecord | null;
          }
        | { readonly kind: 'operation'; readonly operation: OperationRecord };
      /** Where the card stands; null where it stands nowhere. */
      readonly link: string | null;
    }
  /** An approved request went back to its approvers, or ended unsent: for the requester or the approver alone. */
  | {
      readonly kind: 'returned';
      readonly to: 'requester' | 'approver';
      readonly approval: ApprovalRecord;
      /** Null unless it was approved again meanwhile. */
      readonly operation: OperationRecord | null;
      readonly link: string | null;
    }
  | {
      readonly kind: 'approvals';
      /** Those that the reader asked for, in any state; else all that wait. */
      readonly mine: boolean;
      readonly rows: readonly { readonly approval: ApprovalRecord; readonly link: string | null }[];
      readonly paging: Paging;
    }
  | {
      readonly kind: 'operations';
      readonly rows: readonly { readonly operation: RecentOperation; readonly link: string | null }[];
      /** How many of all are not ended. */
      readonly open: number;
      readonly paging: Paging;
    }
  | {
      readonly kind: 'audit';
      /** Null: of everything. */
      readonly device: DeviceId | null;
      readonly rows: readonly AuditActivity[];
      /** Of all pages; `paging` counts entries. */
      readonly lines: number;
      readonly names: AuditNames;
      readonly since: Instant;
      /** There are more entries than were looked at; the oldest were not. */
      readonly cut: boolean;
      readonly paging: Paging;
    }
  | {
      readonly kind: 'status';
      readonly health: HealthReport;
      /** Null: the service did not give the devices. */
      readonly index: { readonly devices: number; readonly asOf: Instant } | null;
      /** Null: changes are not paused. */
      readonly pause: PauseRecord | null;
      readonly asOf: Instant;
    };

/** Why there is nothing to ask for where somebody wants to edit a device or a group. */

export type EditProblem =
  /** Every field that was named has that value. */
  | { readonly kind: 'already-so'; readonly name: string }
  /** It sets more than a card shows: `most` characters. */
  | { readonly kind: 'unreadable-edit'; readonly most: number }
  | { readonly kind: 'group-exists'; readonly name: string; readonly parent: string; readonly id: GroupId };
