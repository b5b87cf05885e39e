/** `audit`: who did what and when, newest first, from Patchbay's own trail. */
import { z } from 'zod';
import { DAY, later } from '../clock.ts';
import type { DeviceId } from '../ids.ts';
import type { AuditRecord } from '../store/records.ts';
import type { View } from '../views/model.ts';
import { actsOf } from './audit-acts.ts';
import { auditNames } from './audit-names.ts';
import type { ReadPorts } from './command.ts';
import { defineRead, type Typed } from './define.ts';
import { auditForm } from './forms/audit-form.ts';
import { extraWord, unknownWord } from './line/faults.ts';
import type { Words } from './line/grammar.ts';
import { listInput } from './lists/input.ts';
import { FIRST, frozen, lineOf, pageOf } from './lists/paging.ts';
import type { Whole } from './lists/results.ts';
import { filterText } from './targets/device-filters.ts';
import { deviceRef, viewOfDevice } from './targets/resolve.ts';

const MOST_DAYS = 90;
const input = listInput.extend({
  device: deviceRef.nullable(),
  days: z.int().min(1).max(MOST_DAYS),
});
type Input = z.infer<typeof input>;

/** Lines on a page; one may be an act of several entries. */
const PAGE_SIZE = 12;
const DAYS = 7;
/** So many entries are looked at; where there are more, that is said. */
const MOST = 2_000;

export const audit = defineRead<Input>({
  name: 'audit',
  usage: 'audit [device NAME|#ID] [days:N]',
  summary: 'Show who did what in Patchbay in the last 7 days, newest first (approvers only).',
  examples: ['audit', 'audit device web-01 days:30'],
  need: 'audit',
  input,
  form: auditForm(DAYS),
  parse,
  run: ({ device, days, result }, page, ports) =>
    device === null
      ? list({ device: null, days, result }, page, ports)
      : viewOfDevice(
          { device, again: (id) => ({ command: 'audit', input: { device: id, days } }) },
          ports,
          (id) => list({ device: id, days, result }, page, ports),
        ),
});

function parse(words: Words): Typed<Input> {
  const extra = extraWord(words, { filters: true });
  if (extra !== null) return { kind: 'fault', fault: extra };
  let days = DAYS;
  for (const { key, value, negated, text } of words.filters) {
    if (key !== 'days' || negated) return { kind: 'fault', fault: unknownWord(text, ['days:']) };
    days = /^\d{1,3}$/.test(value) ? Number(value) : 0;
    if (days < 1 || days > MOST_DAYS) {
      return { kind: 'fault', fault: { kind: 'bad-value', word: text, expected: `1 to ${MOST_DAYS} days` } };
    }
  }
  const [first, ...rest] = words.free;
  if (first === undefined) return { kind: 'input', input: { device: null, days } };
  if (first.toLowerCase() !== 'device') return { kind: 'fault', fault: unknownWord(first, ['device']) };
  const device = rest.join(' ');
  if (device === '')
    return { kind: 'fault', fault: { kind: 'missing', what: 'Which device?', given: { days } } };
  return { kind: 'input', input: { device, days } };
}

type Asked = { readonly device: DeviceId | null; readonly days: number };

async function list(
  { result, ...asked }: Asked & Pick<Input, 'result'>,
  page: number,
  ports: ReadPorts,
): Promise<View> {
  const { results, pageSize: size = PAGE_SIZE } = ports;
  return pageOf(await frozen(results.audit, size, { result }, ports, () => read(asked, ports)), page, size);
}

async function read(
  { device, days }: Asked,
  { records, clock, inventory }: ReadPorts,
): Promise<Whole<'audit'>> {
  const asOf = clock.now();
  const since = later(asOf, -days * DAY);
  const entries = await records.audit(since, MOST);
  const fitting = device === null ? entries : about(entries, device);
  const total = fitting.length;
  const rows = actsOf(fitting, entries);
  const names = await auditNames(entries, { inventory });
  const line = lineOf('audit', question({ device, days }));
  const paging = { command: 'audit', input: { device, days }, ...line, ...FIRST, total, asOf };
  const cut = entries.length === MOST;
  return { kind: 'audit', device, rows, lines: rows.length, names, since, cut, paging };
}

/** As it would be typed; nothing where only the device, or all, was asked for. */
function question({ device, days }: Asked): string {
  if (days === DAYS) return '';
  return [...(device === null ? [] : [`device #${device}`]), filterText('days', String(days))].join(' ');
}

/** What names the device, and what else was done about those requests and commands. */
function about(entries: readonly AuditRecord[], device: DeviceId): readonly AuditRecord[] {
  const subjects = new Set(entries.filter((entry) => concerns(entry, device)).map(({ subject }) => subject));
  return entries.filter(
    (entry) =>
      concerns(entry, device) || (subjects.has(entry.subject) && entry.detail['device'] === undefined),
  );
}

/** Entries about several devices have their numbers in one text. */
function concerns({ detail }: AuditRecord, device: DeviceId): boolean {
  const listed = String(detail['devices'] ?? '').split(' ');
  return detail['device'] === device || listed.includes(String(device));
}
