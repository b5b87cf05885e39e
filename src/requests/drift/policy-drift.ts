/** What changed about the policy of a command, or about one that a group is to get: pure. */
import type { PolicyId } from '../../lib/ids.ts';
import type { DriftList } from './device-drift.ts';

/** What was approved may hold a script: it is another one now, or cannot be told from another one. */
export function policyConfigurationDrift(
  policy: { readonly id: PolicyId; readonly name: string | null },
  before: string | null,
  after: string | null,
): DriftList {
  // Records from before there were digests have none, and what nobody saw cannot have changed.
  if (before === null || before === after) return [];
  return [{ kind: 'policy-changed', policy, shown: after !== null }];
}
