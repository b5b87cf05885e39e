/** What keeps a change of many devices from being requested: how many a person requested already, and a missing reason. */
import { DAY, later } from '../../lib/clock.ts';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import type { Problem } from '../../views/model.ts';
import type { Proposal, ReadPorts } from '../core/command.ts';

/** The command with its whole input, for the form that asks for what is missing. */
export type AskedCommand = { readonly name: string; readonly input: object };

/** Null where it may be requested. A change that is only explained needs no reason yet. */
export async function rolloutProblem(
  { targets, reason }: Pick<Proposal, 'targets' | 'reason'>,
  { name, input }: AskedCommand,
  { rollouts, records, asker, clock, onlyExplains }: ReadPorts,
): Promise<Problem | null> {
  const devices = targets.length;
  const { maxDevices, maxDevicesPerDay, reasonFrom } = rollouts;
  if (devices > maxDevices) return { kind: 'rollout-too-large', devices, most: maxDevices };
  if (devices > 1) {
    const used = await records.requestedDevices(asker, later(clock.now(), -DAY));
    if (used + devices > maxDevicesPerDay)
      return { kind: 'daily-limit', devices, used, most: maxDevicesPerDay };
  }
  if (devices < reasonFrom || reason !== null || onlyExplains === true) return null;
  const choice = { command: name, input };
  const offer = {
    kind: 'line',
    does: 'form',
    line: `${ROOT_COMMAND} ${name} … because REASON`,
    choice,
  } as const;
  return { kind: 'reason-required', devices, from: reasonFrom, offers: [offer] };
}
