/** `device-remove` and `group-remove`: remove a device or a group from the management service, after approval. */

import { z } from 'zod';
import { removalEffects } from '../fleet/facts/edit-changes.ts';
import type { TargetFacts } from '../fleet/facts/facts.ts';
import { readDeviceForRemoval, readGroupForRemoval } from '../fleet/facts/read-facts.ts';
import type { Removal } from '../fleet/model/actions.ts';
import { isDefaultGroup } from '../fleet/model/derived-fields.ts';
import { type DeviceId, deviceId, type GroupId, groupId } from '../lib/ids.ts';
import { ROOT_COMMAND } from '../lib/slash-commands.ts';
import { isBlank, onOneLine, quoteStructure, straightenQuotes } from '../lib/text.ts';
import type { FieldValues } from '../views/models/form-model.ts';
import type { HelpEntry, UsageFault } from '../views/views.ts';
import type { CommandForm, Planned, ReadPorts, TypedInput } from './core/command.ts';
import { defineWriteCommand } from './core/define-command.ts';
import { fieldError, textField, textValue } from './core/field-values.ts';
import {
  DEVICE_SUBJECT,
  type DrawnFields,
  dependentForm,
  type FormSubject,
  GROUP_SUBJECT,
  type PartialFormRead,
  textBlockField,
} from './forms/subject-forms.ts';
import { SAVED_KEY } from './parser/named-lines.ts';
import { type LineWords, MAX_LINE_LENGTH } from './parser/tokenizer.ts';
import { unexpectedWord, usageFault } from './parser/usage-errors.ts';
import { isDeviceKey, parseDeviceFilters } from './targets/device-query.ts';
import { nameOrId } from './targets/name-lookup.ts';
import {
  type DeviceRef,
  deviceRef,
  PERSON_PRIORITY,
  parseDevice,
  reasonPrefill,
  reasonSchema,
  withDevice,
} from './targets/resolve-device.ts';
import { resolveGroup, unknownGroupView } from './targets/resolve-group-or-policy.ts';

const removalFields = {
  /** The name of the thing, as typed in the form; absent where the form still asks for it. */
  confirm: z.string().max(MAX_LINE_LENGTH).exactOptional(),
  reason: reasonSchema,
};
const deviceInput = z.object({ device: deviceRef, ...removalFields });
type DeviceInput = z.infer<typeof deviceInput>;

const DEVICE_REMOVE = { name: 'device-remove', usage: 'device-remove NAME|#ID [because REASON]' };

export const deviceRemoveCommand = defineWriteCommand<DeviceInput>({
  ...DEVICE_REMOVE,
  summary:
    'Open the form that requests the removal of a device. It shows what goes with the device and asks for its name. Needs approval.',
  examples: ['device-remove web-01 because it was scrapped'],
  input: deviceInput,
  form: removalForm(DEVICE_SUBJECT, 'device', deviceFields),
  parse: parseSingleDevice,
  plan: async (input, ports) => {
    const { device, reason } = input;
    const again = (id: DeviceRef) => ({ command: DEVICE_REMOVE.name, input: { device: id, reason } });
    const result = await withDevice({ device, again }, ports, (id) => planRemoval(id, input, ports));
    return result.kind === 'done' ? result.value : result;
  },
});

async function planRemoval(
  id: DeviceId,
  { confirm, reason }: DeviceInput,
  ports: ReadPorts,
): Promise<Planned> {
  // Reads nothing before the form opens: what opens it expires after three seconds.
  if (confirm === undefined && ports.onlyExplains !== true)
    return confirmationForm(DEVICE_REMOVE, { device: id, reason });
  const facts = await readDeviceToRemove(id, ports);
  if (facts === null) return { kind: 'problem', problem: { kind: 'device-gone', query: `#${id}` } };
  return proposeRemoval({ kind: 'device-remove' }, facts, { id, confirm, reason });
}

async function deviceFields(of: number, ports: ReadPorts): Promise<DrawnFields> {
  const facts = await readDeviceToRemove(deviceId(of), ports);
  if (facts === null) return nothingToConfirm('This device no longer exists. Choose another one.');
  const { deviceId: id, displayName: name, groupName, groupId } = facts;
  const group = groupName ?? (groupId === null ? null : `#${groupId}`);
  return confirmFields('device', { id, name }, [
    'Removes the device from the management service. This can’t be undone.',
    ...(group === null ? [] : [`Group: ${quoteStructure(group)}`]),
    ...removalEffects(facts).map(({ label, value }) => `${label}: ${quoteStructure(value)}`),
    'If its agent still runs, the device registers again under another ID.',
  ]);
}

const groupInput = z.object({ group: nameOrId, ...removalFields });
type GroupInput = z.infer<typeof groupInput>;

const GROUP_REMOVE = { name: 'group-remove', usage: 'group-remove NAME|#ID [because REASON]' };

export const groupRemoveCommand = defineWriteCommand<GroupInput>({
  ...GROUP_REMOVE,
  summary:
    'Open the form that requests the removal of a group. It shows what goes with the group and asks for its name. Needs approval.',
  examples: ['group-remove "Web servers" because the site closed'],
  input: groupInput,
  form: removalForm(GROUP_SUBJECT, 'group', groupFields),
  parse: parseGroup,
  plan: planGroupRemoval,
});

function parseGroup(words: LineWords): TypedInput<GroupInput> {
  const fault = unexpectedWord(words, { reason: true });
  if (fault !== null) return { kind: 'fault', fault };
  const group = words.free.join(' ');
  if (group === '')
    return usageFault({ kind: 'missing', what: 'Which group?', prefill: reasonPrefill(words) });
  return { kind: 'input', input: { group, reason: words.reason } };
}

async function planGroupRemoval({ group, confirm, reason }: GroupInput, ports: ReadPorts): Promise<Planned> {
  const again = (id: number) => ({ command: GROUP_REMOVE.name, input: { group: id, reason } });
  const found = await resolveGroup(group, again, ports);
  if (found.kind === 'view') return found;
  const { id } = found;
  if (await isDefault(id, ports)) return { kind: 'problem', problem: { kind: 'default-group' } };
  if (confirm === undefined && ports.onlyExplains !== true)
    return confirmationForm(GROUP_REMOVE, { group: id, reason });
  const { fleet, clock } = ports;
  const facts = await readGroupForRemoval(fleet, { groupId: id, asOf: clock.now(), lane: 'person' });
  if (facts === null) return { kind: 'view', view: unknownGroupView(`#${id}`) };
  return proposeRemoval({ kind: 'group-remove', groupId: id }, facts, { id, confirm, reason });
}

/** The devices of removed groups go there, so the service keeps it (§4.10). */
async function isDefault(id: GroupId, { inventory }: ReadPorts): Promise<boolean> {
  const group = (await inventory.snapshot(PERSON_PRIORITY)).groups.get(id);
  return group !== undefined && isDefaultGroup(group);
}

async function groupFields(of: number, { fleet, clock }: ReadPorts): Promise<DrawnFields> {
  const id = groupId(of);
  const facts = await readGroupForRemoval(fleet, { groupId: id, asOf: clock.now(), lane: 'person' });
  if (facts === null || facts.group === null)
    return nothingToConfirm('This group no longer exists. Choose another one.');
  const { group, displayName: name } = facts;
  if (isDefaultGroup({ id, ...group }))
    return nothingToConfirm('The Default Group can’t be removed. Choose another one.');
  return confirmFields('group', { id, name }, [
    'Removes the group from the management service. This can’t be undone.',
    ...removalEffects(facts).map(({ label, value }) => `${label}: ${quoteStructure(value)}`),
    ...(facts.removal?.subgroups.length === 0
      ? []
      : ['The management service doesn’t document where subgroups go.']),
  ]);
}

function removalForm(
  subject: FormSubject,
  thing: 'device' | 'group',
  fieldsOf: (id: number, ports: ReadPorts) => Promise<DrawnFields>,
): CommandForm {
  return dependentForm<null>(subject, {
    command: `${thing}-remove`,
    title: `Remove a ${thing}`,
    submit: 'Request approval',
    parsePrefill: () => null,
    buildFields: async (option, _given, ports) =>
      option === null
        ? nothingToConfirm(`Choose a ${thing} to see what goes with it.`)
        : fieldsOf(Number(option.value), ports),
    read: (id, values, context) => readConfirmation(values, { id, context, field: subject.field }),
  });
}

/** Each thing has its own field, so that a name typed for one does not confirm another. */
const confirmFieldId = (id: number): string => `confirm:${id}`;

const MAX_LENGTH = 300;

/** What the window keeps of the thing: the name that it asks for. */
const confirmContext = z
  .object({ confirms: z.object({ id: z.int(), name: z.string() }).nullable() })
  .catch({ confirms: null });

function confirmFields(
  thing: 'device' | 'group',
  { id, name }: NamedRecord,
  lines: readonly string[],
): DrawnFields {
  // Slack limits the metadata of a window, so a long name stays out of it.
  const asked = nameToType({ id, name });
  const label = `Type the ${thing}’s name to confirm`;
  const field = textField(confirmFieldId(id), label, '', MAX_LENGTH, { hint: quoteStructure(asked) });
  return { fields: [textBlockField(lines.join('\n')), field], context: { confirms: { id, name: asked } } };
}

function nothingToConfirm(why: string): DrawnFields {
  return { fields: [textBlockField(why)], context: { confirms: null } };
}

/** What was typed, or the error at its field. `field`: that of the thing itself. */
function readConfirmation(
  values: FieldValues,
  { id, context, field }: { readonly id: number; readonly context: unknown; readonly field: string },
): PartialFormRead {
  const { confirms } = confirmContext.parse(context);
  const own = confirmFieldId(id);
  if (!values.has(own) || confirms?.id !== id)
    return fieldError(field, 'What goes with it isn’t shown yet. Wait a moment, then send again.');
  const confirm = textValue(values, own);
  if (isNameTyped(confirm, confirms)) return { kind: 'input', input: { confirm } };
  return fieldError(own, `The name doesn’t match. Type ${quoteStructure(nameToType(confirms))} to confirm.`);
}

/** Nobody types a longer one; a form would cut it. */
const MAX_TYPED_NAME = 150;

type NamedRecord = { readonly id: number; readonly name: string };

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
function confirmationForm({ name, usage }: Pick<HelpEntry, 'name' | 'usage'>, prefill: object): Planned {
  const missing = 'A removal is confirmed in its form: it shows what goes with it and asks for the name.';
  return {
    kind: 'view',
    view: { kind: 'fill-in', command: name, prefill, missing, usage, root: ROOT_COMMAND },
  };
}

function readDeviceToRemove(deviceId: DeviceId, ports: ReadPorts) {
  const { fleet, inventory, clock, organizationId } = ports;
  return readDeviceForRemoval(fleet, {
    deviceId,
    asOf: clock.now(),
    lane: 'person',
    organizationId,
    groupName: (group) => inventory.groupName(group, PERSON_PRIORITY),
  });
}

/** By its name now: it may have been renamed since the form was opened. Without `confirm` none is asked for. */
function proposeRemoval(
  command: Removal,
  facts: TargetFacts,
  { id, confirm, reason }: { readonly id: number; confirm: string | undefined; reason: string | null },
): Planned {
  const record = { id, name: facts.displayName };
  if (confirm === undefined || isNameTyped(confirm, record))
    return { kind: 'proposal', proposal: { command, targets: [facts], reason } };
  return { kind: 'problem', problem: { kind: 'name-not-typed', name: nameToType(record) } };
}

function parseSingleDevice(words: LineWords): TypedInput<{ device: DeviceRef; reason: string | null }> {
  const many = manyDevicesFault(words);
  return many === null ? parseDevice(words, { reason: true }) : usageFault(many);
}

/** Filters that find devices, and their list, or what is wrong with them; null where there are none. */
function manyDevicesFault({ filters }: LineWords): UsageFault | null {
  const finding = filters.filter(({ key }) => isDeviceKey(key) || key === SAVED_KEY);
  if (finding.length === 0) return null;
  const parts = finding.map(({ text, or }, at) => (or === true && at > 0 ? `or ${text}` : text));
  const joined = finding.map(({ or, ...part }, at) => (or === true && at > 0 ? { ...part, or } : part));
  const read = parseDeviceFilters(joined);
  // What is saved under a name is not known here.
  if (read.kind === 'fault' && !finding.some(({ key }) => key === SAVED_KEY)) return read.fault;
  const choice =
    read.kind === 'fault' ? null : { command: 'devices', input: { words: [], filters: read.input.filters } };
  return { kind: 'one-device', filters: parts.join(' '), choice };
}
