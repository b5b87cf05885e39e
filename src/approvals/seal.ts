/**
 * Digests of what was asked. The seal covers what the approver saw and is read again before acting, so a click on
 * an older drawing of the card cannot approve newer facts. The fingerprint covers only what would be done.
 */
import { createHash } from 'node:crypto';
import type { FleetAction } from '../fleet/model/actions.ts';
import type { PolicyFacts } from '../fleet/model/policy-status.ts';
import type { DeviceFacts, TargetFacts } from '../store/port/records.ts';

type SealedContent = { readonly command: FleetAction; readonly targets: readonly TargetFacts[] };

/** Digest (SHA-256, hex) of the command and the facts of all targets, without the time they were read. */
export function seal({ command, targets }: SealedContent): string {
  return digest(['seal', canonicalCommand(command), inOrder(targets).map(canonicalFacts)]);
}

/** Digest (SHA-256, hex) of the command and its targets: equal for two requests that would do the same. */
export function fingerprint({ command, targets }: SealedContent): string {
  return digest(['fingerprint', canonicalCommand(command), inOrder(targets).map((facts) => facts.deviceId)]);
}

function canonicalCommand(command: FleetAction): readonly unknown[] {
  switch (command.kind) {
    case 'scan':
    case 'reboot':
    case 'patch-all':
      return [command.kind];
    case 'patch':
      return [command.kind, unique(command.packages)];
    case 'policy-test':
    case 'policy-remediate':
      return [command.kind, command.policyId];
    case 'device-edit':
    case 'group-create':
    case 'group-edit':
      return [command.kind, canonical(command)];
  }
}

/**
 * All that the card says of the device, and by its digest what the policy would run. The group's name is left out: it may be renamed, or not be readable for a
 * moment, without a move.
 */
function canonicalFacts(facts: TargetFacts): unknown {
  if (facts.deviceId !== null) return canonicalDevice(facts);
  const { asOf: _, ...rest } = facts;
  return canonical(rest);
}

function canonicalDevice(facts: DeviceFacts): readonly unknown[] {
  const { deviceId, hostname, displayName, groupId } = facts;
  const { osFamily, osName, osVersion } = facts;
  const { connected, lastDisconnectTime, lastLoggedInUser, pendingPatches, needsReboot, missing } = facts;
  const policy = facts.policy === null ? null : canonicalPolicy(facts.policy);
  const status = [connected, lastDisconnectTime, lastLoggedInUser, pendingPatches, needsReboot];
  const head = [deviceId, hostname, displayName, groupId, osFamily, osName, osVersion];
  return [...head, ...status, unique(missing), policy, canonical(facts.editable)];
}

function canonicalPolicy({ name, type, status, digest }: PolicyFacts): readonly unknown[] {
  return [name, type, status, digest];
}

function inOrder(targets: readonly TargetFacts[]): readonly TargetFacts[] {
  return targets.toSorted((a, b) => (a.deviceId ?? 0) - (b.deviceId ?? 0));
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted();
}

/**
 * One form for values that say the same: keys in order, and lists, all of which are sets here, sorted and without
 * repetition.
 */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return unique(value.map((item) => JSON.stringify(canonical(item))));
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, canonical(item)]);
}

/** Arrays have one JSON form, unlike objects, whose keys may come in any order. */
function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
