/** The commands that wait for a device, and those it has answered. */
import type { Instant } from '../clock.ts';
import { decodeCommand } from '../fleet/commands.ts';
import { type Device, displayName, type QueueEntry } from '../fleet/model.ts';
import { isPending } from '../fleet/pending.ts';
import { policyName } from '../fleet/standing.ts';
import type { PolicyId } from '../ids.ts';
import { deviceNav } from './device/device-nav.ts';
import { context, lines, section } from './kit/blocks.ts';
import { code, heading, literal, type Mrkdwn, md } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { message } from './kit/message.ts';
import { type Column, table, timeCell } from './kit/table.ts';
import { when, whenOr } from './kit/when.ts';
import type { RenderedMessage, View } from './model.ts';
import { count, listed, listedPlain, policyWords } from './words.ts';

const BUDGET = 8_000;
const ANSWER = SHOWN.sentence / 2;

export function renderQueue({ device, rows, asOf }: Extract<View, { kind: 'queue' }>): RenderedMessage {
  const name = displayName(device);
  const waiting = rows.filter(isPending).length;
  const more = (left: number) => md`${left} more did not fit.`;
  const instead = lines(
    rows.map((entry) => row(entry, device)),
    { budget: BUDGET, more },
  );
  const offline =
    device.connected === false
      ? [section(md`The device is offline: what waits runs when it returns, and cannot be cancelled.`)]
      : [];
  return message({
    text: md`Queue of ${literal(name)}: ${count(waiting, 'command')} waiting.`,
    body: [
      section(heading('Queue of', name)),
      rows.length === 0
        ? section(md`The queue is empty.`)
        : table(rows, { columns: columns(device, rows), instead, more }),
      ...offline,
    ],
    end: [
      context(md`${count(waiting, 'command')} waiting. Read ${when(asOf)}.`),
      ...deviceNav(device.id, 'queue'),
    ],
  });
}

function columns(device: Device, rows: readonly QueueEntry[]): readonly Column<QueueEntry>[] {
  return [
    { title: 'Command', cell: (entry) => plainWhat(entry, device), max: SHOWN.name, wraps: true },
    { title: 'State', cell: (entry) => (isPending(entry) ? 'waiting' : 'answered') },
    { title: rows.every(isPending) ? 'Due' : 'Due or answered', cell: (entry) => timeCell(timeOf(entry)) },
    {
      title: 'Policy',
      cell: ({ policyId }) => (policyId === null || policyId === 0 ? null : nameOrNumber(policyId, device)),
    },
    { title: 'Answer', cell: answer, max: ANSWER, wraps: true },
  ];
}

function timeOf(entry: QueueEntry): Instant | null {
  return isPending(entry) ? entry.execTime : entry.responseTime;
}

function answer(entry: QueueEntry): string | null {
  const { response } = entry;
  return isPending(entry) || response === '' ? null : response;
}

function row(entry: QueueEntry, device: Device): Mrkdwn {
  return md`${what(entry, device)} · ${state(entry, device)}`;
}

/** As {@link what}, where there is no markup. */
function plainWhat(entry: QueueEntry, device: Device): string {
  const command = decodeCommand(entry);
  if (command === null) return entry.type === '' ? 'Unnamed command' : entry.type;
  switch (command.kind) {
    case 'scan':
      return 'Scan';
    case 'reboot':
      return 'Reboot';
    case 'patch-all':
      return 'Install all missing patches';
    case 'patch':
      return `Install ${listedPlain(command.packages, 5)}`;
    case 'policy-test':
      return `Test of ${plainPolicy(command.policyId, device)}`;
    case 'policy-remediate':
      return `Remediation of ${plainPolicy(command.policyId, device)}`;
  }
}

/** As long as it is one of the device's own. */
function nameOrNumber(id: PolicyId, device: Device): string {
  const name = policyName(device, id);
  return name === null || name === '' ? `#${id}` : `${name} (#${id})`;
}

function plainPolicy(id: PolicyId, device: Device): string {
  const name = policyName(device, id);
  return name === null || name === '' ? `policy ${id}` : `policy ${id} (${name})`;
}

function what(entry: QueueEntry, device: Device): Mrkdwn {
  const command = decodeCommand(entry);
  if (command === null) return entry.type === '' ? md`*Unnamed command*` : code(entry.type, SHOWN.label);
  switch (command.kind) {
    case 'scan':
      return md`*Scan*`;
    case 'reboot':
      return md`*Reboot*`;
    case 'patch-all':
      return md`*Install all missing patches*`;
    case 'patch':
      return md`*Install* ${listed(command.packages, 5)}`;
    case 'policy-test':
      return md`*Test* of ${policyWords(command.policyId, policyName(device, command.policyId))}`;
    case 'policy-remediate':
      return md`*Remediation* of ${policyWords(command.policyId, policyName(device, command.policyId))}`;
  }
}

function state(entry: QueueEntry, device: Device): Mrkdwn {
  const { policyId } = entry;
  const by =
    policyId === null || policyId === 0 ? md`` : md` · policy ${literal(nameOrNumber(policyId, device))}`;
  if (isPending(entry)) return md`waiting, due ${whenOr(timeOf(entry), 'at no stated time')}${by}`;
  const said = answer(entry);
  const words = said === null ? md`` : md`: ${code(said, ANSWER)}`;
  return md`answered ${whenOr(timeOf(entry), 'at no stated time')}${by}${words}`;
}
