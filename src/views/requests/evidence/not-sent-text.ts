/** Why nothing was sent, in words. */
import { type ActionKind, changesRecord, isRemoval, recordKindOf } from '../../../fleet/model/actions.ts';
import { durationText } from '../../../lib/text.ts';
import type { Evidence } from '../../../store/port/evidence.ts';
import { escapeMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../../kit/escape.ts';
import { relativeDate } from '../../kit/timestamps.ts';
import { errorText, nameText } from './words.ts';

const NOT_SENT_KINDS = [
  'paused',
  'pause-unread',
  'too-late',
  'unread',
  'unsent',
  'delayed',
  'gone',
  'already-queued',
  'under-way',
  'twin',
  'name-taken',
  'request-waiting',
  'offline',
  'stopped',
] as const satisfies readonly Evidence['kind'][];

export type NotSentEvidence = Extract<Evidence, { kind: (typeof NOT_SENT_KINDS)[number] }>;

export function isNotSent(evidence: Evidence): evidence is NotSentEvidence {
  return NOT_SENT_KINDS.some((kind) => kind === evidence.kind);
}

/** A sentence. `action`: what was requested. */
export function notSentText(evidence: NotSentEvidence, action: ActionKind): Mrkdwn {
  switch (evidence.kind) {
    case 'paused':
      return pausedText(evidence);
    case 'pause-unread':
      return md`Patchbay could not check whether changes are paused.`;
    case 'too-late': {
      const { since, how, maxAgeMs } = evidence;
      const limit = trustedMrkdwn(durationText(maxAgeMs));
      return md`Too late. It was ${trustedMrkdwn(how)} ${relativeDate(since)}. Changes older than ${limit} are not sent.`;
    }
    case 'unread':
      return md`Too late. It could not be checked in time, because ${errorText(evidence.error)}.`;
    case 'unsent':
      return md`It could not be sent: ${errorText(evidence.error, true)}.`;
    case 'delayed':
      return md`Too late. Patchbay was delayed just before sending it.`;
    case 'gone':
      return md`The ${trustedMrkdwn(evidence.thing)} no longer exists in the management service.`;
    case 'already-queued':
      return md`The same command is already in the device’s queue. A second one would also run.`;
    case 'under-way': {
      const of = recordKindOf(action) === 'device' ? md` of this device` : md``;
      const why = underWayReason(action);
      return md`Another ${actionNoun(action)}${of} has been in progress since ${relativeDate(evidence.since)}. ${why}`;
    }
    case 'twin':
      return md`A group named ${nameText(evidence.name)} already exists under the same parent.`;
    case 'name-taken':
      return md`Policy ${evidence.policy} is already named ${nameText(evidence.name)}.`;
    case 'request-waiting':
      return md`Another request for the same change is already waiting.`;
    case 'offline':
      return evidence.since === null
        ? md`The device was offline.`
        : md`The device had been offline since ${relativeDate(evidence.since)}.`;
    case 'stopped':
      return md`The rollout was stopped ${relativeDate(evidence.at)}.`;
  }
}

function underWayReason(action: ActionKind): Mrkdwn {
  if (isRemoval(action)) return md`A second one isn’t needed.`;
  return changesRecord(action) ? md`Two at once could undo each other.` : md`A second one would also run.`;
}

type Paused = Extract<Evidence, { kind: 'paused' }>;

/** Who paused them stands on the pause's own card. */
function pausedText({ since, endedAt, reason }: Paused): Mrkdwn {
  const why = reason === null ? md`` : md` (reason: ${escapeMrkdwn(reason, 200)})`;
  return endedAt === null
    ? md`All changes have been paused since ${relativeDate(since)}${why}.`
    : md`All changes were paused from ${relativeDate(since)} to ${relativeDate(endedAt)}${why}.`;
}

function actionNoun(action: ActionKind): Mrkdwn {
  switch (action.kind) {
    case 'scan':
      return md`scan`;
    case 'reboot':
      return md`reboot`;
    case 'patch':
    case 'patch-all':
    case 'patch-each':
      return md`installation of the same packages`;
    case 'policy-test':
      return md`test of the policy`;
    case 'policy-remediate':
      return md`remediation of the policy`;
    case 'device-edit':
      return md`edit`;
    case 'group-edit':
      return md`edit of the group`;
    case 'group-create':
      return md`creation of the group`;
    case 'policy-create':
      return md`creation of the policy`;
    case 'policy-edit':
      return md`edit of the policy`;
    case 'device-remove':
      return md`removal`;
    case 'group-remove':
      return md`removal of the group`;
  }
}
