/** What the commands that remove something share: the name that a person types, what is read, and the proposal. */
import { z } from 'zod';
import { readDeviceForRemoval } from '../../fleet/facts/read-facts.ts';
import type { Removal } from '../../fleet/model/actions.ts';
import type { DeviceId } from '../../lib/ids.ts';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import { isBlank, onOneLine, straightenQuotes } from '../../lib/text.ts';
import type { TargetFacts } from '../../store/port/records.ts';
import type { HelpEntry } from '../../views/model.ts';
import type { Planned, ReadPorts } from '../core/command.ts';
import { MAX_LINE_LENGTH } from '../parser/tokenizer.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';

/** Nobody types a longer one; a form would cut it. */
const MAX_TYPED_NAME = 150;

/** The name of the thing, as typed in the form; absent where the form still asks for it. */
export const typedName = z.string().max(MAX_LINE_LENGTH);

export type NamedRecord = { readonly id: number; readonly name: string };

/** The name as the form shows it; the number where it shows none, or one that is too long to be typed. */
export function nameToType({ id, name }: NamedRecord): string {
  const visible = onOneLine(name);
  return isBlank(visible) || visible.length > MAX_TYPED_NAME ? `#${id}` : visible;
}

/** Whether that name was typed. What a phone's keyboard changes in it does not count. */
export function isNameTyped(typed: string, record: NamedRecord): boolean {
  return asTyped(typed) === asTyped(nameToType(record));
}

function asTyped(text: string): string {
  // A form shows some names in quotation marks, which may be typed with them.
  const name = /^“(.*)”$/.exec(onOneLine(text))?.[1] ?? onOneLine(text);
  return straightenQuotes(name).normalize('NFC');
}

/** Whoever did not type the name yet gets the form, which shows what goes with it. */
export function confirmationForm(
  { name, usage }: Pick<HelpEntry, 'name' | 'usage'>,
  prefill: object,
): Planned {
  const missing = 'A removal is confirmed in its form: it shows what goes with it and asks for the name.';
  return {
    kind: 'view',
    view: { kind: 'fill-in', command: name, prefill, missing, usage, root: ROOT_COMMAND },
  };
}

/** What goes with the device; null: it no longer exists. */
export function readDeviceToRemove(deviceId: DeviceId, ports: ReadPorts) {
  const { fleet, inventory, clock, organizationId } = ports;
  return readDeviceForRemoval(fleet, {
    deviceId,
    asOf: clock.now(),
    lane: 'person',
    organizationId,
    groupName: (group) => inventory.groupName(group, PERSON_PRIORITY),
  });
}

export type ConfirmedRemoval = {
  readonly command: Removal;
  readonly facts: TargetFacts;
  readonly id: number;
  /** What was typed; absent: nobody requests it, so nothing has to be. */
  readonly confirm: string | undefined;
  readonly reason: string | null;
};

/** By the name that the thing has now: it may have been renamed since the form was opened. */
export function proposeRemoval({ command, facts, id, confirm, reason }: ConfirmedRemoval): Planned {
  const record = { id, name: facts.displayName };
  if (confirm === undefined || isNameTyped(confirm, record))
    return { kind: 'proposal', proposal: { command, targets: [facts], reason } };
  return { kind: 'problem', problem: { kind: 'name-not-typed', name: nameToType(record) } };
}
