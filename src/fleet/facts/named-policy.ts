/** A policy as people know it, with what an approver's seal covers of it. */
import type { PolicyId } from '../../lib/ids.ts';
import type { Policy } from '../model/policy.ts';

export type NamedPolicy = {
  readonly id: PolicyId;
  /** Null: the service knows no policy with this number. */
  readonly name: string | null;
  /** Digest of what runs and when, for a policy that comes to apply; absent for one that does already, or goes. */
  readonly digest?: string | null;
};

/** The policy by its id, with its name where these name it. */
export function policyNamesIn(policies: readonly Pick<Policy, 'id' | 'name'>[]) {
  const names = new Map(policies.map(({ id, name }) => [id, name]));
  return (id: PolicyId): NamedPolicy => ({ id, name: names.get(id) ?? null });
}

/** The same for a policy that comes to apply, with the digest of what it runs; one that is not known runs nothing. */
export function newPoliciesIn(policies: readonly Pick<Policy, 'id' | 'name' | 'digest'>[]) {
  const known = new Map(policies.map(({ id, name, digest }) => [id, { id, name, digest }]));
  return (id: PolicyId): NamedPolicy => known.get(id) ?? { id, name: null };
}
