/** The devices of a rollout on which it did not work, or that got nothing, grouped by cause. */
import type { Evidence } from '../../../store/port/evidence.ts';
import { hasFailed, type RequestTarget } from '../../../store/port/request-records.ts';
import { rowBlocks } from '../../kit/blocks.ts';
import { escapeMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../../kit/escape.ts';
import { SIGN } from '../../kit/signs.ts';
import type { Block } from '../../models/rendered-model.ts';
import { countText, listTargets, STATE_SIGNS } from '../../text/common-text.ts';
import { stateText, targetState } from '../card-state.ts';
import { errorText } from '../evidence.ts';

const BUDGET = 3_000;
/** Names listed for each cause. */
const MAX_NAMES = 5;

/** `total`: how many there are, loaded or not. */
export function problemBlocks(targets: readonly RequestTarget[], total: number): readonly Block[] {
  const groups = Map.groupBy(targets, causeText);
  const rows = [...groups]
    .toSorted(([, a], [, b]) => Number(isUnsent(a)) - Number(isUnsent(b)) || b.length - a.length)
    .map(([cause, devices]) => causeRow(cause, devices));
  const unread = total - targets.length;
  const rest = unread > 0 ? [md`${countText(unread, 'more device')} not shown here.`] : [];
  return rowBlocks([...rows, ...rest], {
    budget: BUDGET,
    more: (left) => md`${countText(left, 'more cause')} not shown.`,
  });
}

function causeRow(cause: Mrkdwn, devices: readonly RequestTarget[]): Mrkdwn {
  const listed = listTargets(devices, MAX_NAMES);
  return devices.length === 1
    ? md`${cause}: ${listed}`
    : md`${cause}, ${countText(devices.length, 'device')}: ${listed}`;
}

/** Where it did not work is more urgent than where nothing was sent. */
function isUnsent([first]: readonly RequestTarget[]): boolean {
  return first?.state === 'not_sent';
}

/** Sign, state and why, in words that several devices share. */
function causeText(target: RequestTarget): Mrkdwn {
  const isFailed = hasFailed(target);
  const sign = isFailed ? SIGN.failed : STATE_SIGNS[targetState(target.state)];
  const state = isFailed ? md`Failed` : stateText(target);
  const [why] = target.evidence.flatMap(sharedWords);
  return why === undefined
    ? md`${trustedMrkdwn(sign)} ${state}`
    : md`${trustedMrkdwn(sign)} ${state} (${why})`;
}

/** Without what differs from device to device, such as times and packages. */
function sharedWords(evidence: Evidence): readonly Mrkdwn[] {
  switch (evidence.kind) {
    case 'refused':
    case 'unsent':
    case 'unread':
    case 'not-read-yet':
    case 'unread-to-the-end':
    case 'answer-lost':
      return [errorText(evidence.error)];
    case 'install-failed':
      return [reasonWords(evidence.words, md`installation failed`)];
    case 'not-installed':
      return [reasonWords(evidence.nameless?.words ?? null, md`packages still missing`)];
    case 'policy-failed':
      return [evidence.exitCode === null ? md`the policy failed` : md`exit code ${evidence.exitCode}`];
    case 'rights-lost':
      return [md`the ${trustedMrkdwn(evidence.who)} lost the role`];
    default: {
      const words = SHARED_WORDS[evidence.kind];
      return words === undefined ? [] : [words];
    }
  }
}

const SHARED_WORDS: Partial<Readonly<Record<Evidence['kind'], Mrkdwn>>> = {
  'not-back': md`went offline and did not come back`,
  'not-restarted': md`did not restart`,
  'not-refreshed': md`did not refresh`,
  'still-queued': md`still in the device’s queue when Patchbay stopped checking`,
  'left-queue': md`left the queue without an answer`,
  gone: md`no longer in the management service`,
  unverifiable: md`no longer in the management service`,
  'already-queued': md`already in the device’s queue`,
  'under-way': md`the same command is in progress`,
  offline: md`offline`,
  stopped: md`the rollout was stopped`,
  'rights-unread': md`roles could not be checked`,
  paused: md`changes were paused`,
  'pause-unread': md`a pause could not be checked`,
  'too-late': md`too late`,
  delayed: md`too late`,
  'request-waiting': md`another request was waiting`,
  drifted: md`changed since the request`,
};

function reasonWords(words: string | null, otherwise: Mrkdwn): Mrkdwn {
  return words === null || words === '' ? otherwise : escapeMrkdwn(words, 120);
}
