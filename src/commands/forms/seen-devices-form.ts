/**
 * The form of a change filled with devices that somebody saw in a list or on a card: these and no others, whatever else
 * matches by the time it is sent. Those that are gone since then stay out, and are named.
 */

import { z } from 'zod';
import type { ChosenBySeverity, FleetAction } from '../../fleet/model/actions.ts';
import type { DeviceChange, GroupChange, PolicyChange } from '../../fleet/model/changes.ts';
import { displayName } from '../../fleet/model/resources.ts';
import type { IndexedDevice } from '../../inventory/inventory.ts';
import { type DeviceId, deviceId, packedIds, packIds, requestId, unpackIds } from '../../lib/ids.ts';
import { byKind, defined } from '../../lib/record-fields.ts';
import { compareNames, quoteStructure } from '../../lib/text.ts';
import { optionsAgain, type PlanOptions, type RolloutPlan } from '../../rollout/plan.ts';
import { isAgain, mayRun } from '../../rollout/results.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import type { FormField } from '../../views/models/form-model.ts';
import type { CommandForm, FormPorts, OpenedForm } from '../core/command.ts';
import { idValues } from '../core/field-values.ts';
import { personalDataProblem } from '../core/reader-rights.ts';
import { deviceListQuerySchema, PERSONAL_KEYS } from '../targets/device-query.ts';
import { findDevices } from '../targets/find-devices.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';
import { DEVICES_FIELD, LINE_FIELD, MAX_PICKED } from './several-devices-form.ts';
import { enteredInput } from './subject-forms.ts';

type SeenDevices = {
  readonly kind: 'seen';
  readonly ids: readonly number[];
  /** How many the list had, if these are others. */
  readonly listed?: number;
  /** What those were called that may be gone. */
  readonly names?: ReadonlyMap<number, string>;
};

/** The devices that the input of a button stands for; null: it says them in another way. */
export type FindSeenDevices = (
  typed: unknown,
  ports: FormPorts,
) => Promise<SeenDevices | Extract<OpenedForm, { kind: 'problem' }> | null>;

const seenInput = z.looseObject({ ids: packedIds });
const SAMPLE = 5;

/** Of its packed ids; or of a list whose ids are too many for a button, which is asked for once more. */
export const listedDevices: FindSeenDevices = async (typed, ports) => {
  const ids = idsIn(typed);
  if (ids !== null) return { kind: 'seen', ids };
  const again = listedInput.safeParse(typed);
  if (!again.success) return null;
  const { devices: listed, ...query } = again.data.listed;
  const personal = query.filters.find(({ key }) => PERSONAL_KEYS.has(key));
  const refused = personalDataProblem(ports, personal && `${personal.key}:`);
  if (refused !== null) return { kind: 'problem', problem: refused };
  const snapshot = await ports.inventory.snapshot(PERSON_PRIORITY);
  const found = await findDevices(snapshot, query, ports);
  const now = found.kind === 'unknown' || found.isCloseMatch ? [] : found.devices;
  return { kind: 'seen', ids: now.map(({ id }) => Number(id)), ...(now.length === listed ? {} : { listed }) };
};

const listedInput = z.looseObject({
  listed: deviceListQuerySchema.omit({ sort: true }).extend({ devices: z.int().positive() }),
});

export function withSeenDevices(form: CommandForm, find: FindSeenDevices = listedDevices): CommandForm {
  return {
    async open(typed, ports) {
      const seen = await find(typed, ports);
      if (seen === null) return form.open(typed, ports);
      if (seen.kind === 'problem') return seen;
      return openSeen(form, typed, await stillThere(seen, ports), ports);
    },
    async redraw(values, context, ports) {
      if (form.redraw === undefined) return form.open({}, ports);
      const drawn = await form.redraw(values, context, ports);
      const ids = idsIn(context);
      return ids === null ? drawn : withContext(drawn, ids);
    },
    read(values, context, ports) {
      const ids = idsIn(context);
      if (ids === null) return form.read(values, context, ports);
      // Where no menu shows them, all of them are meant.
      const picked = values.has(DEVICES_FIELD) ? idValues(values, DEVICES_FIELD) : ids;
      const read = form.read(new Map([...values, [DEVICES_FIELD, picked.map(String)]]), context, ports);
      if (read.kind !== 'input' || picked.length < 2) return read;
      const { device: _, ...input } = enteredInput.parse(read.input);
      return { kind: 'input', input: { ...input, ids: packIds(picked) } };
    },
  };
}

/** Of the input of a button, or of what the window carries. */
function idsIn(value: unknown): readonly number[] | null {
  const read = seenInput.safeParse(value);
  return read.success ? unpackIds(read.data.ids) : null;
}

type KnownOrNot = IndexedDevice | { readonly id: DeviceId };

/** While the fleet is read for the first time, a device that the index does not have may only be unread. */
async function stillThere({ ids, names, listed }: SeenDevices, { inventory }: FormPorts) {
  const { device, partial } = await inventory.snapshot(PERSON_PRIORITY);
  const found = ids.map((id) => ({ id: deviceId(id), known: device(deviceId(id)) }));
  const devices = found.flatMap(
    ({ id, known }): KnownOrNot | [] => known ?? (partial === null ? [] : { id }),
  );
  return {
    listed,
    devices: devices.toSorted((a, b) => compareNames(nameOf(a), nameOf(b))),
    gone: found.flatMap(({ id, known }) =>
      known === null && partial === null ? (names?.get(id) ?? `#${id}`) : [],
    ),
  };
}

async function openSeen(
  form: CommandForm,
  typed: unknown,
  { devices, gone, listed }: Awaited<ReturnType<typeof stillThere>>,
  ports: FormPorts,
): Promise<OpenedForm> {
  const [first, ...others] = devices;
  if (first === undefined) {
    const leftOut = gone.map((name) => ({ name, problem: { kind: 'device-gone', query: name } as const }));
    return { kind: 'problem', problem: { kind: 'none-to-change', leftOut } };
  }
  const ids = devices.map(({ id }) => Number(id));
  const most = Math.min(ports.rollouts().maxDevices, mostCarried(ids));
  if (ids.length > most)
    return { kind: 'problem', problem: { kind: 'rollout-too-large', devices: ids.length, most } };
  const notes = [
    ...(listed === undefined ? [] : [`The list showed ${listed} devices.`]),
    ...namesNote('No longer in the fleet, so left out', gone),
  ];
  const { device: _, filters: __, ids: ___, ...rest } = enteredInput.parse(typed);
  if (others.length === 0) return withNote(await form.open({ ...rest, device: first.id }, ports), notes);
  const isPicked = devices.length <= MAX_PICKED;
  const target = isPicked
    ? { device: ids.map((id) => `#${id}`).join(', ') }
    : { rollout: rest['rollout'] ?? {} };
  const opened = withContext(await form.open({ ...rest, ...target, ids: packIds(ids) }, ports), ids);
  return isPicked
    ? withNote(opened, notes)
    : withNote(withoutTargets(opened), [sampleText(devices), ...notes]);
}

/** Of the 3,000 characters that Slack keeps with a window, without what else is in them. */
const MAX_CARRIED = 2_600;

function mostCarried(ids: readonly number[]): number {
  const { length } = packIds(ids);
  return length <= MAX_CARRIED ? ids.length : Math.floor((ids.length * MAX_CARRIED) / length);
}

function withContext(opened: OpenedForm, ids: readonly number[]): OpenedForm {
  if (opened.kind !== 'form') return opened;
  const own = enteredInput.parse(opened.form.context);
  return { kind: 'form', form: { ...opened.form, context: { ...own, ids: packIds(ids) } } };
}

function withNote(opened: OpenedForm, notes: readonly string[]): OpenedForm {
  if (opened.kind !== 'form' || notes.length === 0) return opened;
  const note: FormField = { kind: 'words', text: notes.join('\n') };
  return { kind: 'form', form: { ...opened.form, fields: [note, ...opened.form.fields] } };
}

/** A menu does not hold so many, and in a line nobody would read them. */
function withoutTargets(opened: OpenedForm): OpenedForm {
  if (opened.kind !== 'form') return opened;
  const fields = opened.form.fields.filter(
    (field) => field.kind === 'words' || (field.id !== DEVICES_FIELD && field.id !== LINE_FIELD),
  );
  return { kind: 'form', form: { ...opened.form, fields } };
}

function nameOf(device: KnownOrNot): string {
  return 'name' in device ? `${quoteStructure(displayName(device))} · #${device.id}` : `#${device.id}`;
}

function sampleText(devices: readonly KnownOrNot[]): string {
  const names = devices.slice(0, SAMPLE).map(nameOf);
  return `These ${devices.length} devices:\n${names.join('\n')}\nand ${devices.length - names.length} more`;
}

function namesNote(what: string, names: readonly string[]): readonly string[] {
  const named = names.slice(0, SAMPLE).map(quoteStructure).join(', ');
  const more = names.length > SAMPLE ? ` and ${names.length - SAMPLE} more` : '';
  return names.length === 0 ? [] : [`${what}: ${named}${more}.`];
}

/** What a button says that requests it once more: which request, and which of its devices; null: those to which nothing was done. */
const againInput = z.object({
  again: z.object({
    request: z.string().transform(requestId),
    of: z.enum(['failed', 'not-sent']).nullable(),
  }),
});

/** Opens the form with what was typed or entered, or with exactly what a request did not do. */
export async function openFilled(form: CommandForm, typed: unknown, ports: FormPorts): Promise<OpenedForm> {
  const asked = againInput.safeParse(typed);
  if (!asked.success) return form.open(typed, ports);
  const { of, request: id } = asked.data.again;
  const request = await ports.records.request(id);
  if (request === null) return form.open({}, ports);
  const late = of === 'failed' ? request.targets.filter(mayRun) : [];
  const names = late.map(({ displayName }) => displayName);
  const notes = namesNote('Left out, because they may still run the command', names);
  return withNote(await form.open(unsentInput(request, of), ports), notes);
}

/** The input of the command for the targets to which nothing was done, or exactly this set. Pure. */
function unsentInput(request: RequestWithTargets, of: z.infer<typeof againInput>['again']['of']): object {
  const { action, targets, reason, rollout } = request;
  const unsent = targets.filter((target) => isAgain(request, of, target));
  const devices = unsent.flatMap(({ deviceId }) => deviceId ?? []);
  const [device] = devices;
  const where = devices.length > 1 ? { ids: packIds(devices) } : defined({ device });
  const how = defined({ rollout: rollout === null ? undefined : optionsFor(rollout.plan, devices.length) });
  return { ...inputOf(action), ...where, ...how, reason };
}

/** A single device has no waves, and nothing to brake; only one that was to be left out offline still is. */
function optionsFor(plan: RolloutPlan, devices: number): PlanOptions | undefined {
  if (devices > 1) return optionsAgain(plan, devices);
  return plan.offline === 'skip' ? { offline: plan.offline } : undefined;
}

const inputOf = byKind<FleetAction, object>({
  // Its form asks for the name again.
  'device-remove': {},
  scan: {},
  reboot: {},
  'patch-all': { packages: [], severities: [] },
  'patch-each': ({ chosen }) => packagesInput(chosen ?? { named: [], severities: [] }),
  patch: ({ packages, chosen }) => packagesInput(chosen ?? { named: packages, severities: [] }),
  'policy-test': ({ policyId }) => ({ policy: policyId }),
  'policy-remediate': ({ policyId }) => ({ policy: policyId }),
  'device-edit': ({ change }) => deviceInput(change),
  'group-create': ({ group }) => groupInput(group),
  'group-edit': ({ groupId, change }) => ({ group: groupId, ...groupInput(change) }),
  'policy-create': ({ policy }) => policyInput(policy),
  'policy-edit': ({ policyId, change }) => ({ policy: policyId, ...policyInput(change) }),
  'group-remove': ({ groupId }) => ({ group: groupId }),
});

function packagesInput({ named, severities }: ChosenBySeverity): object {
  return { packages: named, severities };
}

function deviceInput({ customName, groupId, tags, retag, exception, addresses }: DeviceChange): object {
  const { add = tags ?? [], remove = [] } = retag ?? {};
  return defined({
    name: customName,
    group: groupId,
    add: add.length === 0 ? undefined : add,
    remove: remove.length === 0 ? undefined : remove,
    exception,
    addresses,
  });
}

function groupInput(change: GroupChange): object {
  const { parentId: parent, refreshIntervalMinutes: every, policyIds: policies, ...same } = change;
  return defined({ ...same, parent, every, policies });
}

function policyInput({ groupIds: groups, ...same }: PolicyChange): object {
  return defined({ ...same, groups });
}
