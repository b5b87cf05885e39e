/** The commands that wait for a device, and those it has answered. */
import { decodeCommand } from '../fleet/commands.ts';
import { type Device, displayName, type QueueEntry } from '../fleet/model.ts';
import { isPending } from '../fleet/pending.ts';
import { policyName } from '../fleet/standing.ts';
import { context, lines, section } from './blocks.ts';
import { deviceNav } from './device-nav.ts';
import { code, heading, literal, type Mrkdwn, md } from './escape.ts';
import { SHOWN } from './limits.ts';
import { message } from './message.ts';
import type { RenderedMessage, View } from './model.ts';
import { when, whenOr } from './when.ts';
import { count, listed, policyWords } from './words.ts';

const BUDGET = 8_000;

export function renderQueue({ device, rows, asOf }: Extract<View, { kind: 'queue' }>): RenderedMessage {
  const name = displayName(device);
  const waiting = rows.filter(isPending).length;
  const more = (left: number) => md`${left} more did not fit.`;
  const offline =
    device.connected === false
      ? [section(md`The device is offline: what waits runs when it returns, and cannot be cancelled.`)]
      : [];
  return message({
    text: md`Queue of ${literal(name)}: ${count(waiting, 'command')} waiting.`,
    body: [
      section(heading('Queue of', name)),
      ...(rows.length === 0
        ? [section(md`The queue is empty.`)]
        : lines(
            rows.map((entry) => row(entry, device)),
            { budget: BUDGET, more },
          )),
      ...offline,
    ],
    end: [
      context(md`${count(waiting, 'command')} waiting. Read ${when(asOf)}.`),
      ...deviceNav(device.id, 'queue'),
    ],
  });
}

function row(entry: QueueEntry, device: Device): Mrkdwn {
  return md`${what(entry, device)} · ${state(entry)}`;
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

function state(entry: QueueEntry): Mrkdwn {
  const { response, responseTime, execTime, policyId } = entry;
  const by = policyId === null || policyId === 0 ? md`` : md` · policy #${policyId}`;
  if (isPending(entry)) return md`waiting, due ${whenOr(execTime, 'at no stated time')}${by}`;
  const answer = response === null || response === '' ? md`` : md`: ${code(response, SHOWN.sentence / 2)}`;
  return md`answered ${whenOr(responseTime, 'at no stated time')}${by}${answer}`;
}
