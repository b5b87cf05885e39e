/**
 * Digests of what was asked. The seal covers what the approver saw and is read again before acting, so a click on
 * an older drawing of the card cannot approve newer facts. The fingerprint covers only what would be done.
 */
import { createHash } from 'node:crypto';
import type { FleetCommand } from '../fleet/model.ts';
import type { PolicyFacts } from '../fleet/standing.ts';
import type { DeviceFacts } from '../store/records.ts';

type Sealed = { readonly command: FleetCommand; readonly targets: readonly DeviceFacts[] };

/** Digest of the command and the facts about every device; the time of reading is no part of it. */
export function seal({ command, targets }: Sealed): string {
  return digest(['seal', canonicalCommand(command), inOrder(targets).map(canonicalFacts)]);
}

/** Digest of the command and the devices: equal for two requests that would do the same. */
export function fingerprint({ command, targets }: Sealed): string {
  return digest(['fingerprint', canonicalCommand(command), inOrder(targets).map((facts) => facts.deviceId)]);
}

function canonicalCommand(command: FleetCommand): readonly unknown[] {
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
  }
}

/**
 * All that the card says of the device, and by its digest what the policy would run. The group's name is left out: it may be renamed, or not be readable for a
 * moment, without a move.
 */
function canonicalFacts(facts: DeviceFacts): readonly unknown[] {
  const { deviceId, hostname, displayName, groupId, osFamily, osName } = facts;
  const { connected, lastDisconnectTime, lastLoggedInUser, pendingPatches, needsReboot, missing } = facts;
  const policy = facts.policy === null ? null : canonicalPolicy(facts.policy);
  const stands = [connected, lastDisconnectTime, lastLoggedInUser, pendingPatches, needsReboot];
  return [deviceId, hostname, displayName, groupId, osFamily, osName, ...stands, unique(missing), policy];
}

function canonicalPolicy({ name, type, status, digest }: PolicyFacts): readonly unknown[] {
  return [name, type, status, digest];
}

function inOrder(targets: readonly DeviceFacts[]): readonly DeviceFacts[] {
  return targets.toSorted((a, b) => a.deviceId - b.deviceId);
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted();
}

/** Arrays have one JSON form, unlike objects, whose keys may come in any order. */
function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
