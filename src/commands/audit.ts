/** `audit`: who did what and when, newest first, from Patchbay's own trail. */
import { z } from 'zod';
import { DAY, later } from '../lib/clock.ts';
import type { DeviceId } from '../lib/ids.ts';
import type { AuditRecord } from '../store/port/records.ts';
import type { AuditView } from '../views/audit/audit-list.ts';
import type { View } from '../views/model.ts';
import type { ReadPorts } from './core/command.ts';
import { defineReadCommand, type TypedInput } from './core/define-command.ts';
import { auditForm } from './forms/audit-form.ts';
import { cachedOrRead, listInput, repeatLine, SINGLE_PAGE, viewPage } from './lists/paging.ts';
import { defineResultList, rowWeight } from './lists/result-cache.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { unexpectedWord, unknownWordFault } from './parser/usage-errors.ts';
import { groupActivities } from './queries/audit-activities.ts';
import { auditNames } from './queries/audit-names.ts';
import { filterText } from './targets/device-filters.ts';
import { deviceRef, viewForDevice } from './targets/resolve-device.ts';

const MAX_DAYS = 90;
const input = listInput.extend({
  device: deviceRef.nullable(),
  days: z.int().min(1).max(MAX_DAYS),
});
type Input = z.infer<typeof input>;

/** Lines on a page. A line may combine several entries. */
export const auditPages = defineResultList<AuditView>(12, ({ rows }) =>
  rowWeight(rows, ({ entries }) => entries.length - 1),
);
const DAYS = 7;
/** Maximum number of entries read. The answer says if there are more. */
const MAX_ENTRIES = 2_000;

export const auditCommand = defineReadCommand<Input>({
  name: 'audit',
  usage: 'audit [device NAME|#ID] [days:N]',
  summary: 'Show who did what in Patchbay in the last 7 days, newest first (approvers only).',
  examples: ['audit', 'audit device web-01 days:30'],
  permission: 'audit',
  input,
  form: auditForm(DAYS),
  parse,
  run: ({ device, days, result }, page, ports) =>
    device === null
      ? listAudit({ device: null, days, result }, page, ports)
      : viewForDevice(
          { device, again: (id) => ({ command: 'audit', input: { device: id, days } }) },
          ports,
          (id) => listAudit({ device: id, days, result }, page, ports),
        ),
});

function parse(words: LineWords): TypedInput<Input> {
  const extra = unexpectedWord(words, { filters: true });
  if (extra !== null) return { kind: 'fault', fault: extra };
  let days = DAYS;
  for (const { key, value, negated, text } of words.filters) {
    if (key !== 'days' || negated) return { kind: 'fault', fault: unknownWordFault(text, ['days:']) };
    days = /^\d{1,3}$/.test(value) ? Number(value) : 0;
    if (days < 1 || days > MAX_DAYS) {
      return { kind: 'fault', fault: { kind: 'bad-value', word: text, expected: `1 to ${MAX_DAYS} days` } };
    }
  }
  const [first, ...rest] = words.free;
  if (first === undefined) return { kind: 'input', input: { device: null, days } };
  if (first.toLowerCase() !== 'device') return { kind: 'fault', fault: unknownWordFault(first, ['device']) };
  const device = rest.join(' ');
  if (device === '')
    return { kind: 'fault', fault: { kind: 'missing', what: 'Which device?', prefill: { days } } };
  return { kind: 'input', input: { device, days } };
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
  const line = repeatLine('audit', queryText({ device, days }));
  const paging = { command: 'audit', input: { device, days }, ...line, ...SINGLE_PAGE, total, asOf };
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
