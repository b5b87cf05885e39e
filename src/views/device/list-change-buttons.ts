/** Buttons below a list of devices: each opens the form of a change, filled with all devices of the list. */
import { actions, type Button, context } from '../kit/blocks.ts';
import { formButton } from '../kit/command-buttons.ts';
import { md } from '../kit/escape.ts';
import type { ListChanges } from '../models/list-model.ts';
import type { Block } from '../models/rendered-model.ts';

const TOO_MANY = md`Too many devices to patch or reboot from here. Narrow the list first.`;

/** Empty where the reader may not request changes. */
export function listChangeBlocks(changes: ListChanges | undefined): readonly Block[] {
  if (changes === undefined) return [];
  if (changes.kind === 'too-many') return [context(TOO_MANY)];
  const { patch } = changes;
  return actions(
    patch === null ? null : changeButton(changes, 'patch', 'Patch', patch),
    changeButton(changes, 'reboot', 'Reboot'),
    changeButton(changes, 'scan', 'Scan'),
  );
}

function changeButton(
  { devices, target, isPart }: Extract<ListChanges, { kind: 'offered' }>,
  command: string,
  verb: string,
  own: object = {},
): Button | null {
  const which = devices === 1 ? 'this device' : `these ${devices}`;
  const label = isPart === true ? `${verb} ${which} so far` : `${verb} ${which}`;
  return formButton({ action: `form:${command}`, label, command, input: { ...target, ...own } });
}
