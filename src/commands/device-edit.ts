/** `device-edit`: changes the service's record of a device. Needs approval, except for a custom name alone. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { validateDeviceChange } from '../fleet/editor/device-fields.ts';
import type { DeviceEdit } from '../fleet/model/actions.ts';
import type { DeviceChange } from '../fleet/model/edits.ts';
import { type DeviceId, type GroupId, groupId } from '../lib/ids.ts';
import type { UsageFault } from '../views/model.ts';
import { proposeEdit, readDeviceToEdit } from './changes/edit-plan.ts';
import { planTags, type TagPlan } from './changes/tag-devices.ts';
import type { Planned, ReadPorts } from './core/command.ts';
import { defineWriteCommand, type TypedInput } from './core/define-command.ts';
import { personalDataProblem } from './core/personal-data.ts';
import { deviceEditForm } from './forms/device-edit-form.ts';
import { readFieldFilters } from './parser/filter-keys.ts';
import { commaValues, type LineWords, MAX_LINE_LENGTH, quoteValue } from './parser/tokenizer.ts';
import { usageProblem } from './parser/usage-errors.ts';
import { nameOrId } from './targets/name-lookup.ts';
import {
  type DeviceRef,
  devicePrefill,
  deviceRef,
  reasonSchema,
  withDevice,
} from './targets/resolve-device.ts';
import { resolveGroup, unknownGroupView } from './targets/resolve-group.ts';
import { severalDeviceNames } from './targets/several-devices.ts';

const textList = z.array(z.string().min(1).max(MAX_LINE_LENGTH)).max(200);
const input = z.object({
  device: deviceRef,
  /** Null removes it. */
  name: z.string().min(1).max(MAX_LINE_LENGTH).nullable().exactOptional(),
  group: nameOrId.exactOptional(),
  add: textList.exactOptional(),
  remove: textList.exactOptional(),
  exception: z.boolean().exactOptional(),
  addresses: textList.exactOptional(),
  reason: reasonSchema,
});
type Input = z.infer<typeof input>;

const NAME = 'device-edit';
const USAGE =
  'device-edit NAME|#ID [name:NEW|none] [group:NAME] [tag:NEW] [-tag:OLD] [exception:yes|no] [ip:ADDRESS] [because REASON] | NAME, NAME tag:NEW [-tag:OLD] [because REASON]';

export const deviceEditCommand = defineWriteCommand<Input>({
  name: NAME,
  usage: USAGE,
  summary:
    'Request a change to a device’s group, tags, addresses, or exclusion from reports (exception), or to the tags of several devices. Needs approval, except for a custom name alone.',
  examples: [
    'device-edit web-01 name:"Front door"',
    'device-edit web-01 group:"Linux servers" tag:dmz -tag:old because it moved',
    'device-edit web-01, web-02 tag:dmz because new zone',
  ],
  input,
  form: deviceEditForm,
  parse,
  plan: async (input, ports) => {
    const again = (device: DeviceRef) => ({ command: NAME, input: { ...input, device } });
    const names = (await severalDeviceNames(input.device, ports)) ?? [input.device];
    const [device = input.device, ...others] = names;
    return others.length === 0
      ? planEdit({ device, again }, input, ports)
      : planForSeveral({ names: names.map(String), again }, input, ports);
  },
});

/** Only tags mean the same for every device. */
async function planForSeveral(
  order: Pick<TagPlan, 'names' | 'again'>,
  input: Input,
  ports: ReadPorts,
): Promise<Planned> {
  const problem = (fault: UsageFault) => usageProblem(HEAD, fault);
  const { device: _, add = [], remove = [], reason, ...others } = input;
  const [other] = Object.keys(others);
  if (other !== undefined) {
    const word = `${other === 'addresses' ? 'ip' : other}:`;
    const expected = 'only tag: and -tag: for several devices';
    return { kind: 'problem', problem: problem({ kind: 'bad-value', word, expected }) };
  }
  const tags = { add: [...new Set(add)], remove };
  const fault = validateDeviceChange({ retag: tags });
  if (fault !== null) return { kind: 'problem', problem: problem(faultForField(fault)) };
  return planTags({ ...order, tags, reason, problem }, ports);
}

const KEYS = { once: ['name', 'group', 'exception'], many: ['tag', 'ip'], removable: ['tag'] };
const YES_NO = new Map([
  ['yes', true],
  ['on', true],
  ['no', false],
  ['off', false],
]);

function parse(words: LineWords): TypedInput<Input> {
  const fields = readFieldFilters(words, KEYS);
  if (fields.kind === 'fault') return fields;
  const { single, all } = fields;
  const [name, group, exception] = KEYS.once.map(single);
  const excepted = exception && YES_NO.get(exception.value.toLowerCase());
  if (exception !== undefined && excepted === undefined) {
    const expected = 'exception:yes or exception:no';
    return { kind: 'fault', fault: { kind: 'bad-value', word: exception.text, expected } };
  }
  const tags = (negated: boolean) =>
    all('tag')
      .filter((tag) => tag.negated === negated)
      .flatMap(commaValues)
      .map((tag) => tag.trim());
  const [add, remove, addresses] = [tags(false), tags(true), all('ip').map(({ value }) => value)];
  const change = {
    ...(name === undefined ? {} : { name: name.value.toLowerCase() === 'none' ? null : name.value }),
    ...(group === undefined ? {} : { group: group.value }),
    ...(add.length === 0 ? {} : { add }),
    ...(remove.length === 0 ? {} : { remove }),
    ...(excepted === undefined ? {} : { exception: excepted }),
    ...(addresses.length === 0 ? {} : { addresses }),
  };
  const odd = addresses.find((address) => isIP(address) === 0);
  if (odd !== undefined)
    return { kind: 'fault', fault: { kind: 'bad-value', word: `ip:${odd}`, expected: 'an IP address' } };
  const device = words.free.join(' ');
  const partialInput = { ...devicePrefill(device, words), ...change };
  if (device === '')
    return { kind: 'fault', fault: { kind: 'missing', what: 'Which device?', prefill: partialInput } };
  if (Object.keys(change).length === 0)
    return { kind: 'fault', fault: { kind: 'missing', what: 'What should change?', prefill: partialInput } };
  return { kind: 'input', input: { device, ...change, reason: words.reason } };
}

async function planEdit(
  order: Parameters<typeof withDevice>[0],
  input: Input,
  ports: ReadPorts,
): Promise<Planned> {
  // The list replaces all addresses, and "already has this value" would reveal them.
  const refused = personalDataProblem(ports, input.addresses === undefined ? undefined : 'ip:');
  if (refused !== null) return { kind: 'problem', problem: refused };
  const result = await withDevice(order, ports, (id) => planForDevice(id, input, ports));
  return result.kind === 'done' ? result.value : result;
}

async function planForDevice(id: DeviceId, input: Input, ports: ReadPorts): Promise<Planned> {
  const again = (group: number) => ({ command: NAME, input: { ...input, device: id, group } });
  const into = input.group === undefined ? null : await resolveGroup(input.group, again, ports);
  if (into?.kind === 'view') return into;
  const change = editOf(input, into?.id);
  const fault = validateDeviceChange(change);
  if (fault !== null) return { kind: 'problem', problem: usageProblem(HEAD, faultForField(fault)) };
  const edit: DeviceEdit = { kind: 'device-edit', change };
  const facts = await readDeviceToEdit(id, edit, ports);
  if (facts === null) return { kind: 'problem', problem: { kind: 'device-gone', query: `#${id}` } };
  const tags = facts.editable?.tags ?? [];
  const unknown = (input.remove ?? []).find((tag) => !tags.includes(tag));
  if (unknown !== undefined)
    return {
      kind: 'problem',
      problem: usageProblem(HEAD, unknownTagFault(unknown, facts.displayName, tags)),
    };
  if (into !== null && facts.editable?.intoGroup === null)
    return { kind: 'view', view: unknownGroupView(`#${into.id}`) };
  return proposeEdit(edit, facts, input.reason);
}

const HEAD = { name: NAME, usage: USAGE };

function faultForField(detail: string): UsageFault {
  return { kind: 'bad-value', word: NAME, expected: `values that can be set: ${detail}` };
}

/** A tag that the device does not have cannot be removed; suggests the closest one. */
function unknownTagFault(tag: string, name: string, tags: readonly string[]): UsageFault {
  const expected =
    tags.length === 0
      ? `a tag of ${name}, which has no tags`
      : `one of the tags of ${name}: ${tags.map(quoteValue).join(', ')}`;
  return { kind: 'bad-value', word: `-tag:${quoteValue(tag)}`, expected };
}

function editOf(input: Input, into: GroupId | undefined): DeviceChange {
  const { name, add = [], remove = [], exception, addresses } = input;
  return {
    ...(name === undefined ? {} : { customName: name }),
    ...(into === undefined ? {} : { groupId: groupId(into) }),
    ...(add.length + remove.length === 0 ? {} : { retag: { add: [...new Set(add)], remove } }),
    ...(exception === undefined ? {} : { exception }),
    ...(addresses === undefined ? {} : { addresses }),
  };
}
