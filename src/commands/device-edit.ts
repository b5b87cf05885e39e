/** `device-edit`: changes the service's record of a device. Needs approval, except for a custom name alone. */
import { z } from 'zod';
import { validateDeviceChange } from '../fleet/editor/device-fields.ts';
import type { DeviceEdit } from '../fleet/model/actions.ts';
import type { Device } from '../fleet/model/resources.ts';
import type { DeviceId } from '../lib/ids.ts';
import type { UsageFault } from '../views/model.ts';
import {
  CHANGE_KEYS,
  changeFields,
  type DeviceChangeInput,
  readDeviceChange,
  toDeviceChange,
} from './changes/device-change.ts';
import { editDevices } from './changes/edit-devices.ts';
import { proposeEdit, readDeviceToEdit } from './changes/edit-plan.ts';
import { type ChosenForMany, planTargets } from './changes/plan-targets.ts';
import type { Planned, ReadPorts } from './core/command.ts';
import { defineWriteCommand, type TypedInput } from './core/define-command.ts';
import { personalDataProblem } from './core/personal-data.ts';
import { deviceEditForm } from './forms/device-edit-form.ts';
import { type LineWords, quoteValue } from './parser/tokenizer.ts';
import { usageProblem } from './parser/usage-errors.ts';
import { withDevice } from './targets/resolve-device.ts';
import { resolveGroup, unknownGroupView } from './targets/resolve-group.ts';
import { retryFor } from './targets/resolve-targets.ts';
import { parseTargetLine, splitTarget, targetFields, toTargetInput } from './targets/target-line.ts';

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

/** What means the same for every device. */
async function planForMany(
  devices: readonly Device[],
  { change, asked }: { readonly change: DeviceChangeInput; readonly asked: object },
  ports: ReadPorts,
): Promise<ChosenForMany> {
  const problem = (fault: UsageFault) => usageProblem(HEAD, fault);
  const single = change.name === undefined ? (change.addresses === undefined ? null : 'ip:') : 'name:';
  if (single !== null) {
    const expected = '“group:”, “tag:”, “-tag:” or “exception:” for several devices';
    return { kind: 'problem', problem: problem({ kind: 'bad-value', word: single, expected }) };
  }
  const retry = (group: number) => ({ command: HEAD.name, input: { ...asked, group } });
  const into = change.group === undefined ? null : await resolveGroup(change.group, retry, ports);
  if (into?.kind === 'view') return into;
  const edit: DeviceEdit = { kind: 'device-edit', change: toDeviceChange(change, into?.id) };
  const fault = validateDeviceChange(edit.change);
  if (fault !== null) return { kind: 'problem', problem: { kind: 'unsendable-change', fault } };
  return editDevices(devices, { edit, problem }, ports);
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
  const again = (group: number) => ({ command: HEAD.name, input: { ...change, device: id, group } });
  const into = change.group === undefined ? null : await resolveGroup(change.group, again, ports);
  if (into?.kind === 'view') return into;
  const wanted = toDeviceChange(change, into?.id);
  const fault = validateDeviceChange(wanted);
  if (fault !== null) return { kind: 'problem', problem: { kind: 'unsendable-change', fault } };
  const edit: DeviceEdit = { kind: 'device-edit', change: wanted };
  const facts = await readDeviceToEdit(id, edit, ports);
  if (facts === null) return { kind: 'problem', problem: { kind: 'device-gone', query: `#${id}` } };
  const tags = facts.editable?.tags ?? [];
  const unknown = (change.remove ?? []).find((tag) => !tags.includes(tag));
  if (unknown !== undefined)
    return {
      kind: 'problem',
      problem: usageProblem(HEAD, unknownTagFault(unknown, facts.displayName, tags)),
    };
  if (into !== null && facts.editable?.intoGroup === null)
    return { kind: 'view', view: unknownGroupView(`#${into.id}`) };
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
