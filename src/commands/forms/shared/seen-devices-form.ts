/**
 * The form of a change filled with devices that somebody saw in a list or on a card: these and no others, whatever else
 * matches by the time it is sent. Those that are gone since then stay out, and are named.
 */
import { z } from 'zod';
import { displayName } from '../../../fleet/model/resources.ts';
import type { IndexedDevice } from '../../../inventory/inventory.ts';
import { type DeviceId, deviceId } from '../../../lib/ids.ts';
import { packedIds, packIds, unpackIds } from '../../../lib/packed-ids.ts';
import type { FieldValues, FormField } from '../../../views/models/form-model.ts';
import { PERSON_PRIORITY } from '../../targets/resolve-device.ts';
import type { CommandForm, FormPorts, FormValues, OpenedForm } from './command-form.ts';
import { idValues } from './field-values.ts';
import { DEVICES_FIELD, LINE_FIELD, MAX_PICKED } from './several-devices-form.ts';

export type SeenDevices = {
  readonly ids: readonly number[];
  /** What those were called that may be gone. */
  readonly names?: ReadonlyMap<number, string>;
};

/** The devices that the input of a button stands for; null: it says them in another way. */
export type FindSeenDevices = (typed: unknown, ports: FormPorts) => Promise<SeenDevices | null>;

const seenInput = z.looseObject({ ids: packedIds });
/** What the window carries. */
const carried = z.object({ ids: packedIds });
const SAMPLE = 5;

/** Of its packed ids. */
export const packedDevices: FindSeenDevices = async (typed) => {
  const ids = idsIn(seenInput, typed);
  return ids === null ? null : { ids };
};

/** The form, which `find` can fill with devices. */
export function withSeenDevices(form: CommandForm, find: FindSeenDevices = packedDevices): CommandForm {
  return {
    async open(typed, ports) {
      const seen = await find(typed, ports);
      return seen === null
        ? form.open(typed, ports)
        : openSeen(form, typed, await stillThere(seen, ports), ports);
    },
    async redraw(values, context, ports) {
      if (form.redraw === undefined) return form.open({}, ports);
      const drawn = await form.redraw(values, context, ports);
      const ids = idsIn(carried, context);
      return ids === null ? drawn : withContext(drawn, ids);
    },
    read(values, context, ports) {
      const ids = idsIn(carried, context);
      return ids === null ? form.read(values, context, ports) : readSeen(form, ids, values, ports);
    },
  };
}

function idsIn(schema: typeof carried | typeof seenInput, value: unknown): readonly number[] | null {
  const read = schema.safeParse(value);
  return read.success ? unpackIds(read.data.ids) : null;
}

type StillThere = {
  readonly devices: readonly (IndexedDevice | { readonly id: DeviceId })[];
  readonly gone: readonly string[];
};

/** While the fleet is read for the first time, a device that the index does not have may only be unread. */
async function stillThere({ ids, names }: SeenDevices, { inventory }: FormPorts): Promise<StillThere> {
  const { device, partial } = await inventory.snapshot(PERSON_PRIORITY);
  const found = ids.map((id) => ({ id: deviceId(id), known: device(deviceId(id)) }));
  return {
    devices: found.flatMap(({ id, known }) => known ?? (partial === null ? [] : { id })),
    gone: found.flatMap(({ id, known }) =>
      known === null && partial === null ? (names?.get(id) ?? `#${id}`) : [],
    ),
  };
}

async function openSeen(
  form: CommandForm,
  typed: unknown,
  { devices, gone }: StillThere,
  ports: FormPorts,
): Promise<OpenedForm> {
  const [first, ...others] = devices;
  if (first === undefined) {
    const leftOut = gone.map((name) => ({ name, problem: { kind: 'device-gone', query: name } as const }));
    return { kind: 'problem', problem: { kind: 'none-to-change', leftOut } };
  }
  const ids = devices.map(({ id }) => Number(id));
  const {
    device: _,
    filters: __,
    ids: ___,
    ...rest
  } = z.record(z.string(), z.unknown()).catch({}).parse(typed);
  if (others.length === 0)
    return withNote(await form.open({ ...rest, device: first.id }, ports), goneText(gone));
  const isPicked = devices.length <= MAX_PICKED;
  const target = isPicked
    ? { device: ids.map((id) => `#${id}`).join(', ') }
    : { rollout: rest['rollout'] ?? {} };
  const opened = withContext(await form.open({ ...rest, ...target }, ports), ids);
  return isPicked
    ? withNote(opened, goneText(gone))
    : withNote(withoutTargets(opened), [sampleText(devices), ...goneText(gone)]);
}

function withContext(opened: OpenedForm, ids: readonly number[]): OpenedForm {
  if (opened.kind !== 'form') return opened;
  return { kind: 'form', form: { ...opened.form, context: { ids: packIds(ids) } } };
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

function sampleText(devices: StillThere['devices']): string {
  const names = devices
    .slice(0, SAMPLE)
    .map((device) => ('name' in device ? `${displayName(device)} · #${device.id}` : `#${device.id}`));
  return `These ${devices.length} devices:\n${names.join('\n')}\nand ${devices.length - names.length} more`;
}

function goneText(gone: readonly string[]): readonly string[] {
  if (gone.length === 0) return [];
  const named = gone.slice(0, SAMPLE).join(', ');
  const more = gone.length > SAMPLE ? ` and ${gone.length - SAMPLE} more` : '';
  return [`No longer in the fleet, so left out: ${named}${more}.`];
}

/** Where no menu shows them, all of them are meant. */
function readSeen(
  form: CommandForm,
  ids: readonly number[],
  values: FieldValues,
  ports: Parameters<CommandForm['read']>[2],
): FormValues {
  const picked = values.has(DEVICES_FIELD) ? idValues(values, DEVICES_FIELD) : ids;
  const read = form.read(new Map([...values, [DEVICES_FIELD, picked.map(String)]]), null, ports);
  if (read.kind !== 'input' || picked.length < 2) return read;
  const { device: _, ...input } = z.record(z.string(), z.unknown()).parse(read.input);
  return { kind: 'input', input: { ...input, ids: packIds(picked) } };
}
