/** `device-edit`: changes the service's record of a device. Needs approval, except for a custom name alone. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { validateDeviceChange } from '../fleet/editor/device-fields.ts';
import { fieldChanges } from '../fleet/facts/edit-changes.ts';
import type { DeviceFacts } from '../fleet/facts/facts.ts';
import { readDeviceForEdit } from '../fleet/facts/read-facts.ts';
import type { DeviceEdit } from '../fleet/model/actions.ts';
import type { DeviceChange } from '../fleet/model/changes.ts';
import type { Device } from '../fleet/model/resources.ts';
import { createSharedReader } from '../fleet/reads/read-helpers.ts';
import type { DeviceId, GroupId } from '../lib/ids.ts';
import { defined } from '../lib/record-fields.ts';
import type { UsageFault } from '../views/views.ts';
import { proposeEdit, readDeviceToEdit, TAGS_UNSTATED } from './changes/edit-plan.ts';
import { type ChosenForMany, leaveOut, planTargets } from './changes/plan-targets.ts';
import type { Planned, ReadPorts, TypedInput } from './core/command.ts';
import { defineWriteCommand } from './core/define-command.ts';
import { personalDataProblem } from './core/reader-rights.ts';
import { deviceEditForm } from './forms/device-edit-form.ts';
import { type FilterToken, type LineWords, MAX_LINE_LENGTH, quoteValue } from './parser/tokenizer.ts';
import { filterFault, listedValues, readYesNo, usageFault, usageProblem } from './parser/usage-errors.ts';
import { nameOrId } from './targets/name-lookup.ts';
import { PERSON_PRIORITY, withDevice } from './targets/resolve-device.ts';
import { resolveGroup, unknownGroupView } from './targets/resolve-group-or-policy.ts';
import { retryFor } from './targets/resolve-targets.ts';
import { parseTargetLine, splitTarget, targetFields, toTargetInput } from './targets/target-line.ts';

const textList = z.array(z.string().min(1).max(MAX_LINE_LENGTH)).max(200);
const changeFields = {
  /** Null removes it. */
  name: z.string().min(1).max(MAX_LINE_LENGTH).nullable().exactOptional(),
  group: nameOrId.exactOptional(),
  add: textList.exactOptional(),
  remove: textList.exactOptional(),
  exception: z.boolean().exactOptional(),
  addresses: textList.exactOptional(),
};
const changeInput = z.object(changeFields);
type DeviceChangeInput = z.infer<typeof changeInput>;

const KEYS = { once: ['name', 'group', 'exception'], many: ['tag', 'ip'], removable: ['tag'] };
/** These set values, and select no devices. */
const CHANGE_KEYS: readonly string[] = [...KEYS.once, ...KEYS.many];

const input = z.object({ ...targetFields, ...changeFields });
type Input = z.infer<typeof input>;
type OneEdit = DeviceChangeInput & Pick<Input, 'reason'>;

const HEAD = {
  name: 'device-edit',
  usage:
    'device-edit NAME|#ID|FILTERS [name:NEW|none] [group:NAME] [tag:NEW] [-tag:OLD] [exception:yes|no] [ip:ADDRESS] [OPTIONS] [because REASON]',
};

export const deviceEditCommand = defineWriteCommand<Input>({
  ...HEAD,
  summary:
    'Request a change to the group, tags or exclusion from reports (exception) of devices, or to the addresses of one. Needs approval, except for the custom name of one device alone. “group:”, “tag:” and “ip:” set values here. To select devices by them, use a saved target.',
  examples: [
    'device-edit web-01 name:"Front door"',
    'device-edit web-01 group:"Linux servers" tag:dmz -tag:old because it moved',
    'device-edit web-01, web-02 tag:dmz because new zone',
    'device-edit os:windows tag:review',
  ],
  input,
  form: deviceEditForm,
  targets: 'filters',
  parse,
  plan: planDeviceEdit,
});

function planDeviceEdit(asked: Input, ports: ReadPorts): Promise<Planned> {
  const { target, meant, rest } = splitTarget(asked);
  const { reason: _, rollout: __, ...change } = rest;
  const again = { ...HEAD, input: rest };
  return planTargets(
    {
      again,
      target,
      one: (ref) => planEdit({ device: ref, again: retryFor(again) }, rest, ports),
      many: (devices) => planForMany(devices, { change, asked: { ...rest, ...meant } }, ports),
    },
    ports,
  );
}

async function planForMany(
  devices: readonly Device[],
  { change, asked }: { readonly change: DeviceChangeInput; readonly asked: object },
  ports: ReadPorts,
): Promise<ChosenForMany> {
  const single = change.name === undefined ? (change.addresses === undefined ? null : 'ip:') : 'name:';
  if (single !== null) {
    const expected = '“group:”, “tag:”, “-tag:” or “exception:” for several devices';
    return { kind: 'problem', problem: usageProblem(HEAD, { kind: 'bad-value', word: single, expected }) };
  }
  const edit = await editOf(change, asked, ports);
  return edit.kind === 'device-edit' ? editDevices(devices, edit, ports) : edit;
}

/** The edit, with the id of the group that it names; or what to show of it. `asked`: for another group. */
async function editOf(change: DeviceChangeInput, asked: object, ports: ReadPorts) {
  const again = (group: number) => ({ command: HEAD.name, input: { ...asked, group } });
  const into = change.group === undefined ? null : await resolveGroup(change.group, again, ports);
  if (into?.kind === 'view') return into;
  const edit: DeviceEdit = { kind: 'device-edit', change: toDeviceChange(change, into?.id) };
  const fault = validateDeviceChange(edit.change);
  return fault === null
    ? edit
    : ({ kind: 'problem', problem: { kind: 'unsendable-change', fault } } as const);
}

function parse(words: LineWords): TypedInput<Input> {
  const line = parseTargetLine(words, { ownKeys: CHANGE_KEYS });
  if (line.kind === 'fault') return line;
  const change = readDeviceChange(line.input.own);
  if (change.kind === 'fault') return change;
  const nothing = Object.keys(change.input).length === 0 ? 'What should change?' : null;
  return toTargetInput({ ...line.input, missing: nothing ?? line.input.missing }, change.input);
}

async function planEdit(
  order: Parameters<typeof withDevice>[0],
  change: OneEdit,
  ports: ReadPorts,
): Promise<Planned> {
  // The list replaces all addresses, and "already has this value" would reveal them.
  const refused = personalDataProblem(ports, change.addresses === undefined ? undefined : 'ip:');
  if (refused !== null) return { kind: 'problem', problem: refused };
  const result = await withDevice(order, ports, (id) => planForDevice(id, change, ports));
  return result.kind === 'done' ? result.value : result;
}

async function planForDevice(id: DeviceId, change: OneEdit, ports: ReadPorts): Promise<Planned> {
  const edit = await editOf(change, { ...change, device: id }, ports);
  if (edit.kind !== 'device-edit') return edit;
  const facts = await readDeviceToEdit(id, edit, ports);
  if ('kind' in facts) return { kind: 'problem', problem: facts };
  const tags = facts.editable?.tags ?? [];
  const unknown = (change.remove ?? []).find((tag) => !tags.includes(tag));
  if (unknown !== undefined) {
    const fault = unknownTagFault(unknown, facts.displayName, tags);
    return { kind: 'problem', problem: usageProblem(HEAD, fault) };
  }
  const { groupId } = edit.change;
  if (groupId !== undefined && facts.editable?.intoGroup === null)
    return { kind: 'view', view: unknownGroupView(`#${groupId}`) };
  return proposeEdit(edit, facts, change.reason);
}

/** A tag that the device does not have cannot be removed; suggests the closest one. */
function unknownTagFault(tag: string, name: string, tags: readonly string[]): UsageFault {
  const expected =
    tags.length === 0
      ? `a tag of ${name}, which has no tags`
      : `one of the tags of ${name}: ${tags.map(quoteValue).join(', ')}`;
  return { kind: 'bad-value', word: `-tag:${quoteValue(tag)}`, expected };
}

/** The change that these parts ask for, which may be none; or the first that does not fit. */
function readDeviceChange(parts: readonly FilterToken[]): TypedInput<DeviceChangeInput> {
  const wrong = filterFault(parts, KEYS);
  if (wrong !== null) return usageFault(wrong);
  const all = (key: string) => parts.filter((part) => part.key === key);
  const [name, group, exception] = KEYS.once.map((key) => all(key)[0]);
  const excepted = exception && readYesNo(exception.value);
  if (exception !== undefined && excepted === null) {
    const expected = 'exception:yes or exception:no';
    return usageFault({ kind: 'bad-value', word: exception.text, expected });
  }
  const addresses = all('ip').map(({ value }) => value);
  const odd = addresses.find((address) => isIP(address) === 0);
  if (odd !== undefined)
    return usageFault({ kind: 'bad-value', word: `ip:${odd}`, expected: 'an IP address' });
  return {
    kind: 'input',
    input: defined({
      name: name?.value.toLowerCase() === 'none' ? null : name?.value,
      group: group?.value,
      add: listedValues(all('tag'), false),
      remove: listedValues(all('tag'), true),
      exception: excepted ?? undefined,
      addresses: addresses.length === 0 ? undefined : addresses,
    }),
  };
}

/** The same for the service; `into`: the group that was named. */
function toDeviceChange(input: DeviceChangeInput, into: GroupId | undefined): DeviceChange {
  const { name, add = [], remove = [], exception, addresses } = input;
  const retag = add.length + remove.length === 0 ? undefined : { add: [...new Set(add)], remove };
  return defined({ customName: name, groupId: into, retag, exception, addresses });
}

/** The same edit of many devices: those that have its values already stay out. */
async function editDevices(
  devices: readonly Device[],
  edit: DeviceEdit,
  ports: ReadPorts,
): Promise<ChosenForMany> {
  const unknown = edit.change.retag?.remove.find((tag) => !devices.some(({ tags }) => tags?.includes(tag)));
  if (unknown !== undefined) {
    const expected = 'a tag that at least one of these devices has';
    const word = `-tag:${quoteValue(unknown)}`;
    return { kind: 'problem', problem: usageProblem(HEAD, { kind: 'bad-value', word, expected }) };
  }
  const all = await factsOfAll(devices, edit, ports);
  const { groupId } = edit.change;
  if (groupId !== undefined && [...all.values()].some((facts) => facts?.editable?.intoGroup === null))
    return { kind: 'view', view: unknownGroupView(`#${groupId}`) };
  const changes = (device: Device): DeviceFacts | null => {
    const facts = all.get(device) ?? null;
    const isChanged =
      facts && device.tags && fieldChanges(edit, facts).some(({ before, after }) => before !== after);
    return isChanged ? facts : null;
  };
  return {
    kind: 'chosen',
    command: edit,
    targets: devices.flatMap((device) => changes(device) ?? []),
    leftOut: devices
      .filter((device) => changes(device) === null)
      .map((device) =>
        leaveOut(device, (name) =>
          all.get(device) === null
            ? { kind: 'device-gone', query: name }
            : device.tags === null
              ? TAGS_UNSTATED
              : { kind: 'already-so', name },
        ),
      ),
  };
}

/** Null: in another organization. The devices were read; of groups and policies one list is enough for all of them. */
async function factsOfAll(
  devices: readonly Device[],
  edit: DeviceEdit,
  { fleet, inventory, clock, organizationId }: ReadPorts,
): Promise<ReadonlyMap<Device, DeviceFacts | null>> {
  const reader = createSharedReader(fleet, clock);
  const asOf = clock.now();
  const facts = new Map<Device, DeviceFacts | null>();
  for (const read of devices) {
    const context = { deviceId: read.id, asOf, lane: 'person', organizationId, read } as const;
    const groupName = (group: Device['groupId']) => inventory.groupName(group, PERSON_PRIORITY);
    facts.set(read, await readDeviceForEdit(reader, edit, { ...context, groupName }));
  }
  return facts;
}
