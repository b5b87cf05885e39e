/** `device-edit`: changes what the service keeps about a device; all but the custom name alone needs approval. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { deviceForEdit } from '../fleet/edit-reads.ts';
import { faultOfDeviceChange } from '../fleet/editor/device-fields.ts';
import type { DeviceChange } from '../fleet/edits.ts';
import { type Device, displayName } from '../fleet/model.ts';
import type { DeviceEdit } from '../fleet/orders.ts';
import { type DeviceId, type GroupId, groupId } from '../ids.ts';
import type { UsageFault } from '../views/model.ts';
import type { Planned, ReadPorts } from './command.ts';
import { defineWrite, type Typed } from './define.ts';
import { setFields } from './edits/edit-filters.ts';
import { proposeEdit } from './edits/edit-plan.ts';
import { deviceEditForm } from './forms/device-edit-form.ts';
import { usageProblem } from './line/faults.ts';
import { MAX_TEXT, valuesOf, valueText, type Words } from './line/grammar.ts';
import { personalRefusal } from './personal.ts';
import { groupMeant, noSuchGroup } from './targets/group-meant.ts';
import { ref } from './targets/named.ts';
import { type DeviceRef, deviceRef, givenOf, PERSON, reasonText, withDevice } from './targets/resolve.ts';

const texts = z.array(z.string().min(1).max(MAX_TEXT)).max(200);
const input = z.object({
  device: deviceRef,
  /** Null takes it away. */
  name: z.string().min(1).max(MAX_TEXT).nullable().exactOptional(),
  group: ref.exactOptional(),
  add: texts.exactOptional(),
  remove: texts.exactOptional(),
  exception: z.boolean().exactOptional(),
  addresses: texts.exactOptional(),
  reason: reasonText,
});
type Input = z.infer<typeof input>;

const NAME = 'device-edit';
const USAGE =
  'device-edit NAME|#ID [name:NEW|none] [group:NAME] [tag:NEW] [-tag:OLD] [exception:yes|no] [ip:ADDRESS] [because REASON]';

export const deviceEdit = defineWrite<Input>({
  name: NAME,
  usage: USAGE,
  summary:
    'Request a change to a device’s group, tags, addresses, or exclusion from reports (exception). Needs approval, except for a custom name alone.',
  examples: [
    'device-edit web-01 name:"Front door"',
    'device-edit web-01 group:"Linux servers" tag:dmz -tag:old because it moved',
  ],
  input,
  form: deviceEditForm,
  parse,
  plan: (given, ports) => {
    const again = (device: DeviceRef) => ({ command: NAME, input: { ...given, device } });
    return planned({ device: given.device, again }, given, ports);
  },
});

const KEYS = { once: ['name', 'group', 'exception'], many: ['tag', 'ip'], removable: ['tag'] };
const YES_NO: Readonly<Record<string, boolean>> = { yes: true, on: true, no: false, off: false };

function parse(words: Words): Typed<Input> {
  const fields = setFields(words, KEYS);
  if (fields.kind === 'fault') return fields;
  const { one, all } = fields;
  const [name, group, exception] = KEYS.once.map(one);
  const excepted = exception === undefined ? undefined : YES_NO[exception.value.toLowerCase()];
  if (exception !== undefined && excepted === undefined) {
    const expected = 'exception:yes or exception:no';
    return { kind: 'fault', fault: { kind: 'bad-value', word: exception.text, expected } };
  }
  const tags = (negated: boolean) =>
    all('tag')
      .filter((tag) => tag.negated === negated)
      .flatMap(valuesOf)
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
  const given = { ...givenOf(device, words), ...change };
  if (device === '') return { kind: 'fault', fault: { kind: 'missing', what: 'Which device?', given } };
  if (Object.keys(change).length === 0)
    return { kind: 'fault', fault: { kind: 'missing', what: 'What should change?', given } };
  return { kind: 'input', input: { device, ...change, reason: words.reason } };
}

async function planned(
  order: Parameters<typeof withDevice>[0],
  given: Input,
  ports: ReadPorts,
): Promise<Planned> {
  // A whole list takes the place of the addresses, and an answer that they are so already would say them.
  const refused = personalRefusal(ports, given.addresses === undefined ? undefined : 'ip:');
  if (refused !== null) return { kind: 'problem', problem: refused };
  const result = await withDevice(order, ports, (id) => planFor(id, given, ports));
  return result.kind === 'done' ? result.value : result;
}

async function planFor(id: DeviceId, given: Input, ports: ReadPorts): Promise<Planned> {
  const again = (group: number) => ({ command: NAME, input: { ...given, device: id, group } });
  const into = given.group === undefined ? null : await groupMeant(given.group, again, ports);
  if (into?.kind === 'view') return into;
  const change = changeOf(given, into?.id);
  const fault = faultOfDeviceChange(change);
  if (fault !== null) return { kind: 'problem', problem: usageProblem(HEAD, faultFor(fault)) };
  const edit: DeviceEdit = { kind: 'device-edit', change };
  const device = await ports.fleet.device(id, PERSON);
  ports.inventory.learn(device);
  const unknown = (given.remove ?? []).find((tag) => !device.tags.includes(tag));
  if (unknown !== undefined)
    return { kind: 'problem', problem: usageProblem(HEAD, noSuchTag(unknown, device)) };
  const { fleet, clock, organizationId } = ports;
  const read = { deviceId: id, asOf: clock.now(), lane: 'person', organizationId, read: device } as const;
  const facts = await deviceForEdit(fleet, edit, read);
  if (facts === null) return { kind: 'problem', problem: { kind: 'device-gone', query: `#${id}` } };
  if (into !== null && facts.editable?.intoGroup === null)
    return { kind: 'view', view: noSuchGroup(`#${into.id}`) };
  return proposeEdit(edit, facts, given.reason);
}

const HEAD = { name: NAME, usage: USAGE };

function faultFor(detail: string): UsageFault {
  return { kind: 'bad-value', word: NAME, expected: `values that can be set: ${detail}` };
}

/** A tag that is not there cannot be taken away: maybe another one was meant. */
function noSuchTag(tag: string, device: Device): UsageFault {
  const { tags } = device;
  const name = displayName(device);
  const expected =
    tags.length === 0
      ? `a tag of ${name}, which has no tags`
      : `one of the tags of ${name}: ${tags.map(valueText).join(', ')}`;
  return { kind: 'bad-value', word: `-tag:${valueText(tag)}`, expected };
}

function changeOf(given: Input, into: GroupId | undefined): DeviceChange {
  const { name, add = [], remove = [], exception, addresses } = given;
  return {
    ...(name === undefined ? {} : { customName: name }),
    ...(into === undefined ? {} : { groupId: groupId(into) }),
    ...(add.length + remove.length === 0 ? {} : { retag: { add: [...new Set(add)], remove } }),
    ...(exception === undefined ? {} : { exception }),
    ...(addresses === undefined ? {} : { addresses }),
  };
}
