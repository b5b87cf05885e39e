/** What keeps a change of many devices from being requested: how many a person requested already, and a missing reason. */
import { DAY, later } from '../../lib/clock.ts';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import type { Problem } from '../../views/model.ts';
import type { Proposal, ReadPorts } from '../core/command.ts';
import { rolloutOptionsText } from '../parser/rollout-options.ts';
import { deviceQueryText } from '../targets/device-query.ts';
import { targetInput } from '../targets/target-line.ts';

/** The command with its whole input, for the form that asks for what is missing. */
export type AskedCommand = { readonly name: string; readonly input: object };

/** The devices and options as they would be typed; `…` stands for what else was. */
function typedText(input: object): string {
  const { device, filters, rollout, ids: __, reason: _, ...own } = typedInput.parse(input);
  const names = typeof device === 'number' ? `#${device}` : device;
  // The devices of a policy’s groups are selected by a filter that nobody typed.
  const isTyped = filters !== undefined && !('policy' in own);
  const devices = isTyped ? deviceQueryText({ words: [], filters }) : names;
  const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
  const hasMore = devices === undefined || !Object.values(own).every(isEmpty);
  return [devices, hasMore ? '…' : '', rollout === undefined ? '' : rolloutOptionsText(rollout)]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
}
const typedInput = targetInput.partial().loose();

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
  const line = `${ROOT_COMMAND} ${name} ${typedText(input)} because REASON`;
  const offer = { kind: 'line', does: 'form', line, choice } as const;
  return { kind: 'reason-required', devices, from: reasonFrom, offers: [offer] };
}
