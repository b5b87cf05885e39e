/** What somebody is offered who has to give a reason: the command as typed, and its form with all else filled in. */
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import type { Offer } from '../../views/models/problem-model.ts';
import { rolloutOptionsText } from '../parser/rollout-options.ts';
import { deviceQueryText } from '../targets/device-query.ts';
import { targetInput } from '../targets/target-line.ts';

/** The command with its whole input, for the form that asks for what is missing. */
export type AskedCommand = { readonly name: string; readonly input: unknown };

export function reasonOffer({ name, input }: AskedCommand): Offer {
  const line = `${ROOT_COMMAND} ${name} ${typedText(input)} because REASON`;
  return { kind: 'line', does: 'form', line, choice: { command: name, input } };
}

/** The devices and options as they would be typed; `…` stands for what else was. */
function typedText(input: unknown): string {
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
