/** What became of a command or an edit, thing by thing: the state it is in, since when, and on what evidence. */
import type { Instant } from '../clock.ts';
import { type FleetOrder, isEdit } from '../fleet/orders.ts';
import { storedExitCode } from '../fleet/stored-answer.ts';
import type { OperationRecord, TargetRecord } from '../store/records.ts';
import { upperFirst } from '../text.ts';
import { againButton } from './again.ts';
import { deviceButton, groupButton, queueButton } from './device/device-buttons.ts';
import { actions, type Button, context, lines, section } from './kit/blocks.ts';
import { type Mrkdwn, md, strong, trusted } from './kit/escape.ts';
import { sentence } from './kit/sentence.ts';
import { when } from './kit/when.ts';
import type { Block } from './model.ts';
import { targetState } from './states.ts';
import { STATE_WORDS } from './words.ts';

const BUDGET = 5_000;

/** One device in full, several a line each. */
export function outcome({ command, targets }: OperationRecord): readonly Block[] {
  const [only, ...others] = targets;
  if (only === undefined) return [section(md`No device was named, so nothing was sent.`)];
  if (others.length === 0) return oneTarget(only, isEdit(command) ? 'change' : 'command');
  const rows = targets.map(
    (target) => md`${strong(target.displayName)}: ${stateWords(target)} ${evidence(target) ?? md``}`,
  );
  return lines(rows, { budget: BUDGET, more: (left) => md`${left} more devices did not fit.` });
}

/** What was sent, as the words name it. */
type Noun = 'command' | 'change';

function oneTarget(target: TargetRecord, noun: Noun): readonly Block[] {
  const since = sinceWhen(target);
  const state = md`*${stateWords(target)}*${since === null ? md`` : md` since ${when(since)}`}`;
  return [section(md`${state}\n${account(target, noun)}`), ...answer(target)];
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
      return md`Being sent`;
    default:
      return trusted(STATE_WORDS[targetState(state)]);
  }
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

/** What the state means and on what it stands, each said once: evidence mostly says what the state means, too. */
function account(target: TargetRecord, noun: Noun): Mrkdwn {
  const stated = evidence(target);
  if (stated === null) return explanation(target, noun);
  switch (target.state) {
    case 'ready':
    case 'issuing':
    case 'verified':
      return md`${explanation(target, noun)} ${stated}`;
    case 'answered':
      return md`${stated} ${UNPROVED}`;
    default:
      return stated;
  }
}

const UNPROVED = md`That it was carried out is not proved yet.`;

/** What the state means, and what it does not. */
function explanation({ state, endedAt }: TargetRecord, noun: Noun): Mrkdwn {
  const it = trusted(noun);
  switch (state) {
    case 'ready':
      return md`Patchbay reads the current facts before it sends the ${it}.`;
    case 'issuing':
      return md`The ${it} is on its way to the management service.`;
    case 'refused':
      return md`The management service refused the ${it}. Nothing was changed.`;
    case 'accepted':
      return noun === 'change'
        ? md`The management service took the change. It does not show it yet.`
        : md`The management service took the command. It was not seen in the device’s queue yet.`;
    case 'queued':
      return md`The command waits in the device’s queue and cannot be cancelled.`;
    case 'answered':
      return md`The device answered the command. ${UNPROVED}`;
    case 'verified':
      return md`It was carried out.`;
    case 'not_sent':
      return md`The ${it} was not sent. Nothing was changed.`;
    case 'not_verified':
      return md`That it was carried out could not be proved.`;
    case 'unknown':
      return endedAt === null
        ? md`The answer to the command was lost: it may or may not have been taken. It is looked for, and not sent again.`
        : md`Whether the ${it} was taken is not known. It is not sent again by itself.`;
  }
}

/** The state before it says already that nothing was sent. */
const NOT_SENT = 'Not sent: ';

function evidence({ state, evidence: stated }: TargetRecord): Mrkdwn | null {
  if (stated === null || stated === '') return null;
  const isSaid = state === 'not_sent' && stated.startsWith(NOT_SENT);
  return sentence(isSaid ? upperFirst(stated.slice(NOT_SENT.length)) : stated);
}
