/** What changed about the policy of a command, or about those that come to apply: pure. */
import type { NamedPolicy } from '../../fleet/facts/named-policy.ts';
import type { PolicyId } from '../../lib/ids.ts';
import type { DriftList } from './device-drift.ts';

/** What was approved may hold a script: it is another one now, or cannot be told from another one. */
export function policyConfigurationDrift(
  policy: { readonly id: PolicyId; readonly name: string | null },
  before: string | null,
  after: string | null,
): DriftList {
  if (before === after && after !== null) return [];
  return [{ kind: 'policy-changed', policy, shown: after !== null }];
}

/** What became of the policies that come to apply: one that is on either side alone is said by `changed`. */
export function newPoliciesDrift(
  before: readonly NamedPolicy[],
  after: readonly NamedPolicy[],
  changed: (policy: NamedPolicy, applies: boolean) => DriftList,
): DriftList {
  const [was, is] = [before, after].map((policies) => new Map(policies.map((one) => [one.id, one])));
  return [
    ...before.flatMap((one) => {
      const { id, name, digest } = one;
      const now = is?.get(id);
      if (now === undefined) return changed(one, false);
      // One that applies already by now comes with nothing.
      if (digest === undefined || now.digest === undefined) return [];
      return policyConfigurationDrift({ id, name: now.name ?? name }, digest, now.digest);
    }),
    ...after.flatMap((one) => (was?.has(one.id) ? [] : changed(one, true))),
  ];
}
