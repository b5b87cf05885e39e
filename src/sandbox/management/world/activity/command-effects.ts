/** What a command changes on a device when its agent runs it, and what the agent answers. */
import type { Instant } from '../../../../lib/clock.ts';
import type { WorldCommand, WorldDevice, WorldPolicy } from '../model.ts';
import { deviceDetails, namesText } from '../state/event-log.ts';
import { install, pendingPatches } from '../state/patches.ts';
import { policyStatusOn, recordRun } from '../state/policy-status.ts';
import type { World } from '../world.ts';

/** What the agent answers to a command. */
export type CommandAnswer = { readonly text: string; readonly exitCode: number };

/** The exit code and the reason of installs that were told to fail. */
const INSTALLER_FAILED = 1_603;
const INSTALL_FAILURE = `The installer ended with exit code ${INSTALLER_FAILED}`;

/** Runs `command` on `device` at `now`; a reboot only starts here. */
export function executeCommand(
  world: World,
  device: WorldDevice,
  command: WorldCommand,
  now: Instant,
): CommandAnswer {
  switch (command.kind) {
    case 'scan':
      return succeeded(applyScan(device, now));
    case 'reboot':
      return succeeded('Rebooting');
    case 'install':
      return installPatches(world, device, packageNamesIn(command.args), now);
    case 'install-all':
      return installPatches(world, device, pendingNames(device, now), now);
    case 'policy': {
      const policy = world.policies.get(command.policyId);
      if (policy === undefined) return { text: 'There is no such policy', exitCode: 1 };
      return applyPolicy(world, device, policy, command.action, now);
    }
    default:
      return command satisfies never;
  }
}

function succeeded(text: string): CommandAnswer {
  return { text, exitCode: 0 };
}

/** §4.3: names separated by spaces. A sample quotes the whole text; the quotes belong to no name. */
function packageNamesIn(args: string): readonly string[] {
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
): CommandAnswer {
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
  const text = sentences.length > 0 ? sentences.join('\n') : 'No applicable patches';
  return { text, exitCode: failed.length > 0 ? INSTALLER_FAILED : 0 };
}

/** An evaluation with an exit code other than 0 means "needs remediation", not failure. */
export function applyPolicy(
  world: World,
  device: WorldDevice,
  policy: WorldPolicy,
  action: 'test' | 'remediate',
  now: Instant,
): CommandAnswer {
  const met = policyStatusOn(device, policy, now) === 1;
  const answer = action === 'test' ? evaluation(met) : applyRemediation(world, device, policy, now);
  recordRun(device, policy, now);
  // A patch that failed has its own event; the policy itself ran.
  const data = { text: answer.text, status: action === 'test' ? answer.exitCode : 0 };
  world.events.append({ name: 'system.policy.action', at: now, device, policy, data });
  return answer;
}

function evaluation(met: boolean): CommandAnswer {
  return met
    ? succeeded('Evaluation finished: compliant')
    : { text: 'Evaluation finished: remediation needed', exitCode: 1 };
}

function applyRemediation(
  world: World,
  device: WorldDevice,
  policy: WorldPolicy,
  now: Instant,
): CommandAnswer {
  if (policy.type === 'patch') return installPatches(world, device, pendingNames(device, now), now, policy);
  device.unmetPolicies = new Set([...device.unmetPolicies].filter((id) => id !== policy.id));
  return succeeded('Remediation finished');
}
