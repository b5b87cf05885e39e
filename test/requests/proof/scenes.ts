/** Scenes for tests of proofs: a followed command and what the service shows of it. */
import { expect } from 'vitest';
import type { FleetCommand } from '../../../src/fleet/model/actions.ts';
import type { Device, FleetEvent, Package, QueueEntry } from '../../../src/fleet/model/resources.ts';
import { type Instant, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { policyId, queueEntryId } from '../../../src/lib/ids.ts';
import {
  installEffect,
  policyRemediationEffect,
  policyTestEffect,
  rebootEffect,
  scanEffect,
} from '../../../src/requests/proof/effects.ts';
import {
  evaluateCommand,
  type Observation,
  type ObserveEffect,
} from '../../../src/requests/proof/evaluate-command.ts';
import type { Baseline, RequestTarget } from '../../../src/store/port/request-records.ts';
import { aQueueEntry } from '../../harness/builders.ts';
import { aTarget, EARLIER, SENT } from '../builders.ts';
import { aDevice } from '../fleet-builders.ts';

function typeOf(command: FleetCommand): string {
  switch (command.kind) {
    case 'scan':
      return 'GetOS';
    case 'reboot':
      return 'Reboot';
    case 'patch-all':
      return 'InstallAllUpdates';
    case 'patch':
      return 'InstallUpdate';
    case 'policy-test':
      return `policy_${command.policyId}_test`;
    case 'policy-remediate':
      return `policy_${command.policyId}_remediate`;
  }
}

/** A queue entry of a command. */
export function entry(id: number, change: Partial<QueueEntry> & { readonly of: FleetCommand }): QueueEntry {
  const { of, ...more } = change;
  const args = of.kind === 'patch' ? of.packages.join(' ') : '';
  const head = { id: queueEntryId(id), type: typeOf(of), args, policyId: policyId(0), execTime: null };
  return aQueueEntry({ ...head, ...more });
}

/** What the service shows; missing facts are as before the command. */
export type Scene = {
  readonly command: FleetCommand;
  readonly target?: Partial<RequestTarget>;
  readonly before?: Partial<Baseline>;
  readonly device?: Partial<Device> | null;
  readonly queue?: readonly QueueEntry[];
  readonly packages?: readonly Package[] | null;
  readonly events?: readonly FleetEvent[];
  readonly after?: number;
};

/** This long after the command was sent. */
export const at = (ms: number): Instant => later(SENT, ms);

export function observation({ command, device = {}, after = MINUTE, ...scene }: Scene): Observation {
  const unchanged = { lastRefreshTime: EARLIER, lastDisconnectTime: EARLIER };
  return {
    command,
    target: aTarget(scene.target, scene.before),
    queue: scene.queue ?? [],
    device: device === null ? null : aDevice({ ...unchanged, ...device }),
    packages: scene.packages ?? null,
    events: scene.events ?? [],
    now: at(after),
  };
}

function effectOf(command: FleetCommand): ObserveEffect {
  switch (command.kind) {
    case 'scan':
      return scanEffect;
    case 'reboot':
      return rebootEffect;
    case 'patch':
      return (seen) => installEffect(seen, command.packages);
    case 'patch-all':
      return (seen) => installEffect(seen, seen.target.before.missing);
    case 'policy-test':
      return (seen) => policyTestEffect(seen, command.policyId);
    case 'policy-remediate':
      return (seen) => policyRemediationEffect(seen, command.policyId);
  }
}

/** The target after one look, the same object where nothing moved. */
export function evaluated(given: Observation): RequestTarget {
  return evaluateCommand(given, effectOf(given.command));
}

/** The target after one read; a second read of the same world must find nothing new. */
export function deviceObservation(scene: Scene): RequestTarget {
  const first = observation(scene);
  const target = evaluated(first);
  expect(evaluated({ ...first, target })).toBe(target);
  return target;
}

export const scan = { kind: 'scan' } as const;
export const reboot = { kind: 'reboot' } as const;
export const patch = { kind: 'patch', packages: ['curl', 'openssl'] } as const;
export const patchAll = { kind: 'patch-all' } as const;
export const policyTest = { kind: 'policy-test', policyId: policyId(12) } as const;
export const remediate = { kind: 'policy-remediate', policyId: policyId(12) } as const;
export const queued = { state: 'queued', queueEntryId: queueEntryId(501), queuedAt: SENT } as const;
export const answered = { ...queued, state: 'answered', answeredAt: SENT, response: 'exit code 0' } as const;
export const unknown = { state: 'unknown', acceptedAt: null, evidence: [{ kind: 'interrupted' }] } as const;
export const rebooted = { lastDisconnectTime: at(20 * SECOND), connected: true };
export const waiting = entry(501, { of: reboot });

/** An answered command, and what the device and the service show now. */
export const seen = (
  command: FleetCommand,
  device: Scene['device'] = {},
  more: Omit<Scene, 'command'> = {},
): Scene => ({ command, target: answered, device, ...more });
