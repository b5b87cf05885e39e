/** The outcome of a command or an edit, thing by thing: since when it is in its state, and on what evidence. */
import type { Instant } from '../clock.ts';
import { type FleetOrder, isEdit } from '../fleet/orders.ts';
import { storedExitCode } from '../fleet/stored-answer.ts';
import type { OperationRecord, TargetRecord } from '../store/records.ts';
import { upperFirst } from '../text.ts';
import { againButton } from './again.ts';
import { deviceButton, groupButton, queueButton } from './device/device-buttons.ts';
import { actions, type Button, context, lines, section } from './kit/blocks.ts';
import { joined, type Mrkdwn, md, strong, trusted } from './kit/escape.ts';
import { sentence } from './kit/sentence.ts';
import { when } from './kit/when.ts';
import type { Block } from './model.ts';
import { targetState } from './states.ts';
import { STATE_SIGNS, STATE_WORDS } from './words.ts';

const BUDGET = 5_000;

/** One device in full, several a line each. */
export function outcome({ command, targets }: OperationRecord): readonly Block[] {
  const [only, ...others] = targets;
  if (only === undefined) return [section(md`No device named. Nothing was sent.`)];
  if (others.length === 0) return oneTarget(only, isEdit(command) ? 'change' : 'command');
  const rows = targets.map(
    (target) =>
      md`${strong(target.displayName)}: ${trusted(STATE_SIGNS[targetState(target.state)])} ${stateWords(target)}. ${evidence(target) ?? md``}`,
  );
  return lines(rows, { budget: BUDGET, more: (left) => md`${left} more devices not shown.` });
}

/** What was sent, as the words name it. */
type Noun = 'command' | 'change';

/** The state stands in the title of the card: here since when, and on what evidence. */
function oneTarget(target: TargetRecord, noun: Noun): readonly Block[] {
  const parts = [sinceWords(target), ...account(target, noun)].filter((part) => part !== null);
  return [...(parts.length === 0 ? [] : [section(joined(parts, ' '))]), ...answer(target)];
}

/** What a person can do now: request again what was not sent, or look for themselves at the one device. */
export function wayOn(operation: OperationRecord): readonly Block[] {
  const { command, targets } = operation;
  const [only, ...others] = targets;
  const again = againButton(operation);
  if (only === undefined || others.length > 0) return actions(again);
  const state = targetState(only.state);
  if (only.deviceId === null) {
    // A group that was not made has no page.
    const group = again !== null && command.kind === 'group-create' ? null : groupOf(command);
    return state === 'waiting' ? [] : actions(again, group);
  }
  if (again !== null) return actions(again, deviceButton(only.deviceId));
  if (state !== 'unknown' && state !== 'not_verified') return [];
  const queue = isEdit(command) ? null : queueButton({ id: only.deviceId, name: only.displayName });
  return actions(queue, deviceButton(only.deviceId));
}

/** A group that was made is known by its name; another one by its number, whatever it is called by now. */
function groupOf(order: FleetOrder): Button | null {
  if (order.kind === 'group-create') return groupButton(order.group.name);
  return order.kind === 'group-edit' ? groupButton(order.groupId) : null;
}

/** The exit code of the device's answer, unless the evidence states it. */
function answer({ response, evidence: stated }: TargetRecord): readonly Block[] {
  const exitCode = storedExitCode(response);
  if (exitCode === null || stated?.includes('exit code')) return [];
  return [context(md`The device answered with exit code ${exitCode}.`)];
}

/** State of one device's command in words. A card may be read long after it was drawn: so it never denies that something was sent before that has ended. */
export function stateWords({ state }: Pick<TargetRecord, 'state'>): Mrkdwn {
  switch (state) {
    case 'ready':
      return md`Requested`;
    case 'issuing':
      return md`Sending`;
    default:
      return trusted(STATE_WORDS[targetState(state)]);
  }
}

/** When it got into its state; null where that is not known. */
function sinceWords(target: TargetRecord): Mrkdwn | null {
  const since = sinceWhen(target);
  if (since === null) return null;
  return target.state === 'issuing' || target.state === 'unknown'
    ? md`${stateWords(target)} since ${when(since)}.`
    : md`${stateWords(target)} ${when(since)}.`;
}

function sinceWhen(target: TargetRecord): Instant | null {
  switch (target.state) {
    case 'ready':
    case 'not_sent':
      return null;
    case 'issuing':
      return target.issuedAt;
    case 'accepted':
      return target.acceptedAt;
    case 'queued':
      return target.queuedAt;
    case 'answered':
      return target.answeredAt;
    default:
      return target.endedAt;
  }
}

/** What the state means and the evidence for it, each said once: evidence mostly says what the state means, too. */
function account(target: TargetRecord, noun: Noun): readonly (Mrkdwn | null)[] {
  const stated = evidence(target);
  switch (target.state) {
    case 'ready':
      return [explanation(target, noun), stated];
    case 'issuing':
    case 'verified':
      return [stated];
    case 'answered':
      return stated === null ? [explanation(target, noun)] : [stated, UNPROVED];
    default:
      return [stated ?? explanation(target, noun)];
  }
}

const UNPROVED = md`Not verified yet.`;

/** What the state means, and what it does not. */
function explanation({ state, endedAt }: TargetRecord, noun: Noun): Mrkdwn | null {
  const it = trusted(noun);
  switch (state) {
    case 'ready':
      return md`Checking the current state, then sending.`;
    case 'refused':
      return md`The management service did not accept the ${it}. Nothing was changed.`;
    case 'accepted':
      return noun === 'change'
        ? md`The management service accepted the change, but does not show it yet.`
        : md`The management service accepted the command. Not seen in the device’s queue yet.`;
    case 'queued':
      return md`The command is waiting in the device’s queue. It can’t be canceled.`;
    case 'answered':
      return md`The device answered the command. ${UNPROVED}`;
    case 'issuing':
    case 'verified':
      return null;
    case 'not_sent':
      return md`The ${it} was not sent. Nothing was changed.`;
    case 'not_verified':
      return noun === 'change'
        ? md`Couldn’t confirm that the change was made.`
        : md`Couldn’t confirm that it ran.`;
    case 'unknown':
      return endedAt === null
        ? md`The answer was lost: the management service may or may not have accepted the command. Patchbay is looking for it and won’t send it again.`
        : md`The management service may or may not have accepted the ${it}. Patchbay won’t send it again on its own.`;
  }
}

/** The title says it already. */
const NOT_SENT = 'Not sent: ';

function evidence({ state, evidence: stated }: TargetRecord): Mrkdwn | null {
  if (stated === null || stated === '') return null;
  const isSaid = state === 'not_sent' && stated.startsWith(NOT_SENT);
  return sentence(isSaid ? upperFirst(stated.slice(NOT_SENT.length)) : stated);
}
