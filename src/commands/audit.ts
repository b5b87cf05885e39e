/** `audit`: who did what and when, newest first, from Patchbay's own trail. */

import { z } from 'zod';
import { FleetFailure } from '../fleet/fleet.ts';
import { displayName } from '../fleet/model/resources.ts';
import { groupNameIn, type Snapshot } from '../inventory/inventory.ts';
import { DAY, later, SECOND } from '../lib/clock.ts';
import { type DeviceId, deviceId, groupId } from '../lib/ids.ts';
import type { AuditRecord } from '../store/port/store.ts';
import type { AuditView } from '../views/audit/audit-list.ts';
import type { FieldValues, FormField } from '../views/models/form-model.ts';
import type { AuditActivity, AuditNames } from '../views/models/list-model.ts';
import type { View } from '../views/views.ts';
import { argumentsOf, days } from './core/arguments.ts';
import type { FormPorts, FormValues, OpenedForm, ReadPorts, TypedInput } from './core/command.ts';
import { defineReadCommand } from './core/define-command.ts';
import { idValue } from './core/field-values.ts';
import { DEVICE_FIELD, deviceField, deviceOption, devicePrefillSchema } from './forms/subject-forms.ts';
import { cachedOrRead, listInput, viewPage, wholePaging } from './lists/paging.ts';
import { defineResultList, rowWeight } from './lists/result-cache.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { unknownWordFault, usageFault } from './parser/usage-errors.ts';
import { filterText } from './targets/device-query.ts';
import { type DeviceRef, deviceRef, PERSON_PRIORITY, viewForDevice } from './targets/resolve-device.ts';

const DAYS = 7;
const args = argumentsOf({
  days: days({
    label: 'Time range',
    most: 90,
    spans: [1, DAYS, 30, 90],
    labelOf: (span) => (span === 1 ? 'Last day' : `Last ${span} days`),
  }),
});
const input = listInput.extend({ device: deviceRef.nullable(), ...args.input.required().shape });
type Input = z.infer<typeof input>;

/** Lines on a page. A line may combine several entries. */
export const auditPages = defineResultList<AuditView>(12, ({ rows }) =>
  rowWeight(rows, ({ entries }) => entries.length - 1),
);
/** Maximum number of entries read. The answer says if there are more. */
const MAX_ENTRIES = 2_000;

export const auditCommand = defineReadCommand<Input>({
  name: 'audit',
  usage: `audit [device NAME|#ID] ${args.usage}`,
  summary: 'Show who did what in Patchbay in the last 7 days, newest first (approvers only).',
  examples: ['audit', 'audit device web-01 days:30'],
  permission: 'audit',
  input,
  form: { open: openForm, read: readForm },
  parse,
  run: ({ device, days, result }, page, ports) => {
    const list = (id: DeviceId | null) => listAudit({ device: id, days, result }, page, ports);
    if (device === null) return list(null);
    const again = (id: DeviceRef) => ({ command: 'audit', input: { device: id, days } });
    return viewForDevice({ device, again }, ports, list);
  },
});

function parse(words: LineWords): TypedInput<Input> {
  const read = args.parse(words, { free: true });
  if (read.kind === 'fault') return read;
  const range = { days: DAYS, ...read.input };
  const [first, ...rest] = words.free;
  if (first === undefined) return { kind: 'input', input: { device: null, ...range } };
  if (first.toLowerCase() !== 'device') return usageFault(unknownWordFault(first, ['device']));
  const device = rest.join(' ');
  if (device === '') return usageFault({ kind: 'missing', what: 'Which device?', prefill: range });
  return { kind: 'input', input: { device, ...range } };
}

type AuditQuery = { readonly device: DeviceId | null; readonly days: number };

async function listAudit(
  { result, ...asked }: AuditQuery & Pick<Input, 'result'>,
  page: number,
  ports: ReadPorts,
): Promise<View> {
  return viewPage(await cachedOrRead(auditPages, { result }, ports, () => readAudit(asked, ports)), page);
}

async function readAudit(
  { device, days }: AuditQuery,
  { records, clock, inventory }: ReadPorts,
): Promise<AuditView> {
  const asOf = clock.now();
  const since = later(asOf, -days * DAY);
  const entries = await records.audit(since, MAX_ENTRIES);
  const fitting = device === null ? entries : entriesAbout(entries, device);
  const total = fitting.length;
  const rows = groupActivities(fitting, entries);
  const names = await auditNames(entries, { inventory });
  const paging = wholePaging('audit', { device, days }, queryText({ device, days }), { total, asOf });
  const cut = entries.length === MAX_ENTRIES;
  return { kind: 'audit', device, rows, lines: rows.length, names, since, cut, paging };
}

/** The arguments as they would be typed; empty for the default time range. */
function queryText({ device, days }: AuditQuery): string {
  if (days === DAYS) return '';
  return [...(device === null ? [] : [`device #${device}`]), filterText('days', String(days))].join(' ');
}

/** Entries that name the device, and all others about the same requests and commands. */
function entriesAbout(entries: readonly AuditRecord[], device: DeviceId): readonly AuditRecord[] {
  const subjects = new Set(
    entries.filter((entry) => isAboutDevice(entry, device)).map(({ subject }) => subject),
  );
  return entries.filter(
    (entry) =>
      isAboutDevice(entry, device) || (subjects.has(entry.subject) && entry.detail['device'] === undefined),
  );
}

/** An entry about several devices has their IDs in one text, separated by spaces. */
function isAboutDevice({ detail }: AuditRecord, device: DeviceId): boolean {
  const listed = String(detail['devices'] ?? '').split(' ');
  return detail['device'] === device || listed.includes(String(device));
}

const prefillSchema = z.object({ days: z.int().positive().catch(DAYS) }).catch({ days: DAYS });

async function openForm(typed: unknown, ports: FormPorts): Promise<OpenedForm> {
  const { device } = devicePrefillSchema.parse(typed);
  const subject = deviceField(await deviceOption(device, ports));
  const fields: readonly FormField[] = [
    { ...subject, hint: 'Leave empty for everything.', optional: true },
    ...args.draw(prefillSchema.parse(typed), ports.dialect),
  ];
  const form = { command: 'audit', title: 'Audit log', submit: 'Show', fields, context: null };
  return { kind: 'form', form };
}

function readForm(values: FieldValues): FormValues {
  const device = idValue(values, DEVICE_FIELD);
  const read = args.enter(values);
  return read.kind === 'errors' ? read : { kind: 'input', input: { device, days: DAYS, ...read.input } };
}

/** Maximum time between two steps of an activity, and of all of it. Times are shown to the minute. */
const MAX_GAP_MS = 10 * SECOND;
const MAX_SPAN_MS = 30 * SECOND;

type OpenActivity = {
  device: unknown;
  readonly entries: [AuditRecord, ...AuditRecord[]];
};

/**
 * Activities, newest first, each with its entries in order: what Patchbay did about one request within seconds is one. What a
 * person did is an activity of its own, and ends the
 * open ones of that request. `entries`: newest first; `known`: entries that may tell what a request was about.
 */
export function groupActivities(
  entries: readonly AuditRecord[],
  known: readonly AuditRecord[] = entries,
): readonly AuditActivity[] {
  const requested = known.filter(({ action }) => /^(?:approval|operation)\.requested$/.test(action));
  const orders = new Map(requested.map(({ subject, detail }) => [subject, detail]));
  const acts: OpenActivity[] = [];
  const open = new Map<string, readonly OpenActivity[]>();
  for (const entry of entries.toReversed()) {
    const { subject } = entry;
    const isStep = entry.actor === 'patchbay' && /^(?:approval|operation)\./.test(entry.action);
    const before = isStep ? (open.get(subject) ?? []) : [];
    const same = toActivity(entry, before);
    if (same === undefined) {
      const act: OpenActivity = { device: deviceIn(entry), entries: [entry] };
      acts.push(act);
      open.set(subject, entry.actor === 'patchbay' ? [...before, act] : []);
    } else {
      same.entries.push(entry);
      same.device ??= deviceIn(entry);
    }
  }
  return acts.toReversed().map(({ entries: steps }) => ({
    entries: steps,
    order: orders.get(steps[0].subject) ?? null,
  }));
}

/** An entry without a device joins an activity about a device only if it is the only one. */
function toActivity(entry: AuditRecord, open: readonly OpenActivity[]): OpenActivity | undefined {
  const fitting = open.filter((act) => continuesActivity(act, entry));
  const exact = fitting.findLast(({ device }) => device === deviceIn(entry));
  return exact ?? (fitting.length === 1 ? fitting[0] : undefined);
}

function continuesActivity({ device, entries }: OpenActivity, entry: AuditRecord): boolean {
  const [first] = entries;
  const last = entries.at(-1) ?? first;
  if (entry.at > later(last.at, MAX_GAP_MS) || entry.at > later(first.at, MAX_SPAN_MS)) return false;
  const other = deviceIn(entry);
  return device === null || other === null || device === other;
}

function deviceIn({ detail }: AuditRecord): unknown {
  return detail['device'] ?? null;
}

/** No names if the service is down: the audit is Patchbay's own and is shown anyway. */
async function auditNames(
  entries: readonly AuditRecord[],
  { inventory }: Pick<ReadPorts, 'inventory'>,
): Promise<AuditNames> {
  try {
    return collectNames(entries, await inventory.snapshot(PERSON_PRIORITY));
  } catch (error) {
    if (!(error instanceof FleetFailure)) throw error;
    return { devices: new Map(), groups: new Map(), policies: new Map() };
  }
}

function collectNames(entries: readonly AuditRecord[], snapshot: Snapshot): AuditNames {
  const policies = new Map<number, string>(snapshot.policies.map(({ id, name }) => [id, name]));
  const device = (id: number) => {
    const found = snapshot.device(deviceId(id));
    return found === null ? undefined : displayName(found);
  };
  const removed = removedNames(entries);
  return {
    devices: lookUpNames(
      numbersIn(entries, 'device', 'devices'),
      (id) => device(id) ?? removed.get(`device-remove ${id}`),
    ),
    groups: lookUpNames(
      numbersIn(entries, 'group'),
      (id) => groupNameIn(snapshot, groupId(id)) ?? removed.get(`group-remove ${id}`),
    ),
    policies: lookUpNames(numbersIn(entries, 'policy'), (id) => policies.get(id)),
  };
}

/** What was removed is known to the audit alone. */
function removedNames(entries: readonly AuditRecord[]): ReadonlyMap<string, string> {
  return new Map(
    entries.flatMap(({ detail: { command, devices, group, name } }) =>
      (command === 'device-remove' || command === 'group-remove') && typeof name === 'string'
        ? [[`${command} ${command === 'device-remove' ? devices : group}`, name] as const]
        : [],
    ),
  );
}

function lookUpNames(ids: Iterable<number>, nameOf: (id: number) => string | undefined): Map<number, string> {
  const names = new Map<number, string>();
  for (const id of ids) {
    const name = nameOf(id);
    if (name !== undefined && name !== '') names.set(id, name);
  }
  return names;
}

/** An entry about a new group has its name instead of an ID. */
function numbersIn(entries: readonly AuditRecord[], ...keys: readonly string[]): ReadonlySet<number> {
  const words = entries.flatMap(({ detail }) => keys.flatMap((key) => String(detail[key] ?? '').split(' ')));
  return new Set(words.filter((word) => /^\d{1,15}$/.test(word)).map(Number));
}
