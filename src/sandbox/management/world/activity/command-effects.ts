/** What a command changes on a device when its agent runs it, and what the agent answers. */
import type { Instant } from '../../../../lib/clock.ts';
import type { WorldCommand, WorldDevice, WorldPolicy } from '../model.ts';
import { deviceDetails, namesText } from '../state/event-log.ts';
import { install, pendingPatches } from '../state/patches.ts';
import { policyStatusOn, recordRun } from '../state/policy-status.ts';
import type { World } from '../world.ts';

/** The reason of installs that were told to fail. */
const INSTALL_FAILURE = 'The installer ended with an error';

/** Runs `command` on `device` at `now`; a reboot only starts here. */
export function executeCommand(
  world: World,
  device: WorldDevice,
  command: WorldCommand,
  now: Instant,
): string {
  switch (command.kind) {
    case 'scan':
      return applyScan(device, now);
    case 'reboot':
      return 'Rebooting';
    case 'install':
      return installPatches(world, device, packageNamesIn(command.args), now);
    case 'install-all':
      return installPatches(world, device, pendingNames(device, now), now);
    case 'policy': {
      const policy = world.policies.get(command.policyId);
      if (policy === undefined) return 'There is no such policy';
      return applyPolicy(world, device, policy, command.action, now);
    }
    default:
      return command satisfies never;
  }
}

/** §4.3: names separated by spaces. A sample quotes the whole text; the quotes belong to no name. */
export function packageNamesIn(args: string): readonly string[] {
  return args.replaceAll('"', ' ').split(/\s+/).filter(Boolean);
}

export function applyScan(device: WorldDevice, now: Instant): string {
  device.lastRefresh = now;
  device.lastScanFailed = false;
  return 'Scan completed';
}

export function pendingNames(device: WorldDevice, now: Instant): readonly string[] {
  return pendingPatches(device, now).map(({ software }) => software.name);
}

/** Installs the named packages that are missing, with an event per success and failure; returns a description. */
export function installPatches(
  world: World,
  device: WorldDevice,
  names: readonly string[],
  now: Instant,
  policy?: WorldPolicy,
): string {
  const willFail = (patch: string) => world.installs.fails({ deviceId: device.id, patch });
  const failed = names.filter((name) => willFail(name) && device.missing.has(name));
  const about = { at: now, device, ...(policy === undefined ? {} : { policy }) };
  if (failed.length > 0) {
    const data = { ...deviceDetails(device), failure: INSTALL_FAILURE, patches: namesText(failed) };
    world.events.append({ name: 'system.patch.failed', ...about, data });
  }
  const installed = install(
    device,
    names.filter((name) => !willFail(name)),
    now,
  ).map(({ name }) => name);
  if (installed.length > 0) {
    const data = { ...deviceDetails(device), patches: namesText(installed) };
    world.events.append({ name: 'system.patch.applied', ...about, data });
  }
  const sentences = [
    ...(installed.length > 0 ? [`Installed patches: ${namesText(installed)}`] : []),
    ...(failed.length > 0 ? [`Failed to install patches: ${namesText(failed)}`] : []),
  ];
  return sentences.length > 0 ? sentences.join('\n') : 'No applicable patches';
}

/** An evaluation with an exit code other than 0 means "needs remediation", not failure. */
export function applyPolicy(
  world: World,
  device: WorldDevice,
  policy: WorldPolicy,
  action: 'test' | 'remediate',
  now: Instant,
): string {
  const met = policyStatusOn(device, policy, now) === 1;
  const text = action === 'test' ? evaluationText(met) : applyRemediation(world, device, policy, now);
  const status = action === 'test' && !met ? 1 : 0;
  recordRun(device, policy, now);
  world.events.append({ name: 'system.policy.action', at: now, device, policy, data: { text, status } });
  return text;
}

function evaluationText(met: boolean): string {
  return met ? 'Evaluation finished: compliant' : 'Evaluation finished: remediation needed';
}

function applyRemediation(world: World, device: WorldDevice, policy: WorldPolicy, now: Instant): string {
  if (policy.type === 'patch') return installPatches(world, device, pendingNames(device, now), now, policy);
  device.unmetPolicies = new Set([...device.unmetPolicies].filter((id) => id !== policy.id));
  return 'Remediation finished';
}
