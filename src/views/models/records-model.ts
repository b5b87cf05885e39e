/** Rows of lists of stored records, and problems with edits. */
import type { GroupId, PolicyId } from '../../lib/ids.ts';
import type { AuditRecord } from '../../store/port/records.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';

/** Audit entries of one action, shown as one line. */
export type AuditActivity = {
  /** Oldest first. */
  readonly entries: readonly [AuditRecord, ...AuditRecord[]];
  /** The command that it is about; null where no entry that was read names it. */
  readonly order: AuditRecord['detail'] | null;
};

/** Names by ID, where they are known. */
export type AuditNames = Readonly<Record<'devices' | 'groups' | 'policies', ReadonlyMap<number, string>>>;

/** A request, and a link to its card; null where it is not posted. */
export type LinkedRequest = { readonly request: RequestWithTargets; readonly link: string | null };

/** Why an edit or a removal of a device or group cannot be requested. */
export type EditProblem =
  /** Every field has the value already. */
  | { readonly kind: 'already-so'; readonly name: string }
  /** The values are longer than a card can show: at most `most` characters. */
  | { readonly kind: 'unreadable-edit'; readonly most: number }
  /** The service doesn’t show what these policies run, so nobody can approve it. */
  | { readonly kind: 'policy-not-shown'; readonly policies: readonly string[] }
  | { readonly kind: 'policy-exists'; readonly name: string; readonly id: PolicyId }
  | { readonly kind: 'group-exists'; readonly name: string; readonly parent: string; readonly id: GroupId }
  /** Another name than `name` was typed to confirm a removal. */
  | { readonly kind: 'name-not-typed'; readonly name: string }
  | { readonly kind: 'default-group' };
