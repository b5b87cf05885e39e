/** What an approver sees of a policy that is to be made or changed. */
import type { Instant } from '../../lib/clock.ts';
import type { GroupId, PolicyId } from '../../lib/ids.ts';
import type { Policy } from '../model/policy.ts';
import type { SealedDeviceFacts } from './device-facts.ts';
import type { GroupFacts } from './edit-facts.ts';
import type { NamedPolicy } from './named-policy.ts';

/** Null: the service knows no group with this number. */
export type NamedGroup = {
  readonly id: GroupId;
  readonly name: string | null;
  /** Null: the service does not say. */
  readonly devices: number | null;
};

/** A policy as it is, with the names of its groups. */
export type PolicySnapshot = Pick<Policy, 'name' | 'type' | 'notes' | 'schedule' | 'settings' | 'digest'> & {
  readonly groups: readonly NamedGroup[];
};

/** No device belongs to them. */
export type PolicyEditFacts = {
  readonly deviceId: null;
  /** Null: it is to be created. */
  readonly policyId: PolicyId | null;
  readonly displayName: string;
  /** Null when it is to be created. */
  readonly current: PolicySnapshot | null;
  /** The groups that the edit sets. */
  readonly groups: readonly NamedGroup[];
  /** Devices in the groups that it has afterwards; null where the service does not say. */
  readonly devices: number | null;
  /** Another policy with the wanted name. */
  readonly twin: PolicyId | null;
  readonly asOf: Instant;
};

/** The facts of one target, whatever it is. */
export type EditFacts = SealedDeviceFacts | GroupFacts | PolicyEditFacts;

export function isPolicyFacts(facts: EditFacts): facts is PolicyEditFacts {
  return 'policyId' in facts;
}

/** The policies that would run because of the request, and of which the service does not show what they run. */
export function hiddenPolicies(facts: EditFacts): readonly Pick<NamedPolicy, 'name' | 'digest'>[] {
  return runningPolicies(facts).filter(({ digest }) => digest === null);
}

function runningPolicies(facts: EditFacts): readonly Pick<NamedPolicy, 'name' | 'digest'>[] {
  if (isPolicyFacts(facts)) return facts.current === null ? [] : [facts.current];
  if (facts.deviceId === null) return [...facts.policies, ...(facts.removal?.policiesAfter ?? [])];
  return [...(facts.policy === null ? [] : [facts.policy]), ...(facts.editable?.policies ?? [])];
}
