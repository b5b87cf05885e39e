/** The commands that wait for a device, and those it has answered. */
import type { Instant } from '../clock.ts';
import { decodeCommand } from '../fleet/commands.ts';
import { type Device, displayName, type FleetCommand, type QueueEntry } from '../fleet/model.ts';
import { isPending } from '../fleet/pending.ts';
import { policyName } from '../fleet/standing.ts';
import type { PolicyId } from '../ids.ts';
import { deviceNav } from './device/device-nav.ts';
import { context, lines, section } from './kit/blocks.ts';
import { code, heading, literal, type Mrkdwn, md, strong } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { message } from './kit/message.ts';
import { type Column, table, timeCell } from './kit/table.ts';
import { when } from './kit/when.ts';
import type { RenderedMessage, View } from './model.ts';
import { commandName, count, listedPlain } from './words.ts';

const BUDGET = 8_000;

export function renderQueue({ device, rows, asOf }: Extract<View, { kind: 'queue' }>): RenderedMessage {
  const name = displayName(device);
  const waiting = rows.filter(isPending).length;
  const more = (left: number) => md`${left} more not shown.`;
  const instead = lines(
    rows.map((entry) => row(entry, device)),
    { budget: BUDGET, more },
  );
  const offline =
    device.connected === false
      ? [section(md`The device is offline. Queued commands run when it’s back and can’t be canceled.`)]
      : [];
  return message({
    text: md`Queue for ${literal(name)}: ${count(waiting, 'command')} queued.`,
    body: [
      section(heading('Queue for', name)),
      rows.length === 0
        ? section(md`The queue is empty.`)
        : table(rows, { columns: columns(device, rows), instead, more }),
      ...offline,
    ],
    end: [
      context(md`${count(waiting, 'command')} queued. As of ${when(asOf)}.`),
      ...deviceNav(device.id, 'queue'),
    ],
  });
}

function columns(device: Device, rows: readonly QueueEntry[]): readonly Column<QueueEntry>[] {
  return [
    { title: 'Command', cell: (entry) => plainWhat(entry, device), max: SHOWN.name, wraps: true },
    { title: 'State', cell: (entry) => (isPending(entry) ? 'queued' : 'answered') },
    { title: rows.every(isPending) ? 'Due' : 'Due or answered', cell: (entry) => timeCell(timeOf(entry)) },
    {
      title: 'Policy',
      cell: ({ policyId }) => (policyId === null || policyId === 0 ? null : nameOrNumber(policyId, device)),
    },
    { title: 'Exit code', cell: ({ response }) => exitCode(response) },
  ];
}

function timeOf(entry: QueueEntry): Instant | null {
  return isPending(entry) ? entry.execTime : entry.responseTime;
}

/** The output of a command may hold secrets: it is not shown. */
function exitCode(response: QueueEntry['response']): string | null {
  return response === null || response.exitCode === null ? null : String(response.exitCode);
}

function row(entry: QueueEntry, device: Device): Mrkdwn {
  return md`${what(entry, device)} · ${state(entry, device)}`;
}

/** Where there is no markup. */
function plainWhat(entry: QueueEntry, device: Device): string {
  const command = decodeCommand(entry);
  if (command === null) return entry.type === '' ? 'Unnamed command' : entry.type;
  return commandName(withPolicyName(command, device), (names) => listedPlain(names, 5));
}

/** The queue says the number alone; the device knows the names of its own policies. */
function withPolicyName(command: FleetCommand, device: Device): FleetCommand {
  if (!('policyId' in command)) return command;
  const name = policyName(device, command.policyId);
  return name === null || name === '' ? command : { ...command, policyName: name };
}

/** As long as it is one of the device's own. */
function nameOrNumber(id: PolicyId, device: Device): string {
  const name = policyName(device, id);
  return name === null || name === '' ? `#${id}` : `${name} (#${id})`;
}

function what(entry: QueueEntry, device: Device): Mrkdwn {
  return decodeCommand(entry) === null && entry.type !== ''
    ? code(entry.type, SHOWN.label)
    : strong(plainWhat(entry, device), SHOWN.sentence);
}

function state(entry: QueueEntry, device: Device): Mrkdwn {
  const { policyId } = entry;
  const by =
    policyId === null || policyId === 0 ? md`` : md` · policy ${literal(nameOrNumber(policyId, device))}`;
  const at = timeOf(entry);
  if (isPending(entry)) return at === null ? md`queued${by}` : md`queued, due ${when(at)}${by}`;
  const ended = exitCode(entry.response);
  const words = ended === null ? md`` : md` · exit code ${literal(ended)}`;
  return at === null ? md`answered${by}${words}` : md`answered ${when(at)}${by}${words}`;
}
