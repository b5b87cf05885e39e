import type { FleetCommand } from '../../fleet/model/actions.ts';
import { policyName } from '../../fleet/model/policy-status.ts';
import { type Device, displayName, type QueueEntry } from '../../fleet/model/resources.ts';
import { decodeCommand, isUnanswered } from '../../fleet/queue-entries.ts';
import type { Instant } from '../../lib/clock.ts';
import type { PolicyId } from '../../lib/ids.ts';
import { context, rowBlocks, section } from '../kit/blocks.ts';
import { bold, boldHeading, escapeMrkdwn, inlineCode, type Mrkdwn, md } from '../kit/escape.ts';
import { DISPLAY_LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { buildMessage } from '../kit/message.ts';
import { type Column, type CsvTable, csvTable, renderTable, timeCell, utcTimestamp } from '../kit/table.ts';
import { relativeDate } from '../kit/timestamps.ts';
import { commandTitle, countText, listPlain } from '../text/common-text.ts';
import { devicePageButtons } from './device-buttons.ts';

export type QueueView = {
  readonly kind: 'queue';
  readonly device: Device;
  readonly rows: readonly QueueEntry[];
  readonly asOf: Instant;
};

const BUDGET = 8_000;

/** Draws the queue. Offline devices get a note that queued commands can’t be canceled. */
export function renderQueueList({ device, rows, asOf }: QueueView): RenderedMessage {
  const name = displayName(device);
  const waiting = rows.filter(isUnanswered).length;
  const more = (left: number) => md`${left} more not shown.`;
  const fallback = rowBlocks(
    rows.map((entry) => md`${entryText(entry, device)} · ${entryStateText(entry, device)}`),
    { budget: BUDGET, more },
  );
  const offline =
    device.connected === false
      ? [section(md`The device is offline. Queued commands run when it’s back and can’t be canceled.`)]
      : [];
  return buildMessage({
    text: md`Queue for ${escapeMrkdwn(name)}: ${countText(waiting, 'command')} queued.`,
    body: [
      section(boldHeading('Queue for', name)),
      rows.length === 0
        ? section(md`The queue is empty.`)
        : renderTable(rows, { columns: columns(device, rows), fallback, more }),
      ...offline,
    ],
    footer: [
      context(md`${countText(waiting, 'command')} queued. As of ${relativeDate(asOf)}.`),
      ...devicePageButtons(device.id, 'queue'),
    ],
  });
}

function columns(device: Device, rows: readonly QueueEntry[]): readonly Column<QueueEntry>[] {
  return [
    {
      title: 'Command',
      cell: (entry) => entryPlainText(entry, device),
      max: DISPLAY_LIMIT.name,
      wraps: true,
    },
    { title: 'State', cell: (entry) => (isUnanswered(entry) ? 'queued' : 'answered') },
    {
      title: rows.every(isUnanswered) ? 'Due' : 'Due or answered',
      cell: (entry) => timeCell(entryTime(entry)),
    },
    {
      title: 'Policy',
      cell: ({ policyId }) => (policyId === null || policyId === 0 ? null : nameOrNumber(policyId, device)),
    },
    { title: 'Exit code', cell: ({ response }) => exitCode(response) },
  ];
}

function entryTime(entry: QueueEntry): Instant | null {
  return isUnanswered(entry) ? entry.execTime : entry.responseTime;
}

/** Only the exit code: the output of a command may contain secrets. */
function exitCode(response: QueueEntry['response']): string | null {
  return response === null || response.exitCode === null ? null : String(response.exitCode);
}

function entryPlainText(entry: QueueEntry, device: Device): string {
  const command = decodeCommand(entry);
  if (command === null) return entry.type === '' ? 'Unnamed command' : entry.type;
  return commandTitle(withPolicyName(command, device), (names) => listPlain(names, 5));
}

/** Adds the policy's name from the device's record: the queue has only its ID. */
function withPolicyName(command: FleetCommand, device: Device): FleetCommand {
  if (!('policyId' in command)) return command;
  const name = policyName(device, command.policyId);
  return name === null || name === '' ? command : { ...command, policyName: name };
}

/** The policy's name and ID, or the ID alone where the device does not list the policy. */
function nameOrNumber(id: PolicyId, device: Device): string {
  const name = policyName(device, id);
  return name === null || name === '' ? `#${id}` : `${name} (#${id})`;
}

function entryText(entry: QueueEntry, device: Device): Mrkdwn {
  return decodeCommand(entry) === null && entry.type !== ''
    ? inlineCode(entry.type, DISPLAY_LIMIT.label)
    : bold(entryPlainText(entry, device), DISPLAY_LIMIT.sentence);
}

function entryStateText(entry: QueueEntry, device: Device): Mrkdwn {
  const { policyId } = entry;
  const by =
    policyId === null || policyId === 0
      ? md``
      : md` · policy ${escapeMrkdwn(nameOrNumber(policyId, device))}`;
  const at = entryTime(entry);
  if (isUnanswered(entry)) return at === null ? md`queued${by}` : md`queued, due ${relativeDate(at)}${by}`;
  const ended = exitCode(entry.response);
  const words = ended === null ? md`` : md` · exit code ${escapeMrkdwn(ended)}`;
  return at === null ? md`answered${by}${words}` : md`answered ${relativeDate(at)}${by}${words}`;
}

export function queueCsv({ device, rows }: QueueView): CsvTable {
  return csvTable(rows, {
    id: (entry) => entry.id,
    device: () => displayName(device),
    command: (entry) => entry.type,
    arguments: (entry) => entry.args,
    due: (entry) => utcTimestamp(entry.execTime),
    'exit code': (entry) => entry.response?.exitCode ?? null,
    answered: (entry) => utcTimestamp(entry.responseTime),
  });
}
