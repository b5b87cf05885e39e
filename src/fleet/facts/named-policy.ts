/** A policy as people know it, with what an approver's seal covers of it. */
import type { PolicyId } from '../../lib/ids.ts';

export type NamedPolicy = {
  readonly id: PolicyId;
  /** Null: the service knows no policy with this number. */
  readonly name: string | null;
  /** Digest of configuration and schedule, for a policy that the group is to get; absent for one that it has. */
  readonly digest?: string | null;
};
