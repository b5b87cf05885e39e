/** A change with other devices than those that were typed: its form, where everything is looked at once more. */
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import type { Offer } from '../../views/models/problem-model.ts';
import type { ReadPorts } from '../core/command.ts';
import { type RolloutOptions, rolloutOptionsText } from '../parser/rollout-options.ts';
import { quoteWord } from '../parser/tokenizer.ts';
import type { DeviceFilter } from './device-filters.ts';
import { deviceQueryText } from './device-query.ts';
import type { DeviceRef } from './resolve-device.ts';

/** The command with its input, in which other devices can take the place of those that were meant. */
export type TargetCommand = {
  readonly name: string;
  readonly usage: string;
  /** Without its devices. */
  readonly input: { readonly rollout?: RolloutOptions; readonly reason?: string | null };
  /** Packages after the device, of which the first may belong to its name. */
  readonly packages?: readonly string[];
};

type OfferedTarget = { readonly device: DeviceRef } | { readonly filters: readonly DeviceFilter[] };

/** `words`: what else of the input its line says. */
export function targetOffer(
  target: OfferedTarget,
  { name, input }: Pick<TargetCommand, 'name' | 'input'>,
  { onlyExplains }: Pick<ReadPorts, 'onlyExplains'>,
  words: readonly string[] = [],
): Offer {
  const typed = onlyExplains === true ? `explain ${name}` : name;
  const devices =
    'filters' in target
      ? deviceQueryText({ words: [], filters: [...target.filters] })
      : deviceText(target.device);
  const choice = { command: name, input: { ...input, ...target } };
  const { rollout = {}, reason } = input;
  const why = reason ? `because ${reason}` : '';
  const parts = [typed, devices, ...words.map(quoteWord), rolloutOptionsText(rollout), why];
  const line = [ROOT_COMMAND, ...parts.filter((part) => part !== '')].join(' ');
  return { kind: 'line', line, does: onlyExplains === true ? 'run' : 'form', choice };
}

function deviceText(device: DeviceRef): string {
  return typeof device === 'number' ? `#${device}` : device;
}
