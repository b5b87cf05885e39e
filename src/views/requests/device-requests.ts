/** What was requested of one device, by whom and why, and what became of it: on its card and in its timeline. */
import { lowerFirst } from '../../lib/text.ts';
import { isHeld } from '../../rollout/progress.ts';
import { isFollowed, type RequestWithTargets } from '../../store/port/request-records.ts';
import { escapeMrkdwn, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { linkTo, mentionPerson } from '../kit/mentions.ts';
import { dateOr, relativeDate } from '../kit/timestamps.ts';
import type { LinkedRequest } from '../models/records-model.ts';
import { commandName, STATE_TEXTS } from '../text/common-text.ts';
import { hasOutcome, memberLabel } from './card-state.ts';
import { evidenceText } from './evidence.ts';
import { commentText, requestedBy } from './request-card.ts';
import { requestLabel } from './request-label.ts';

/** Its only target is the device. */
export function deviceRequestText({ request, link }: LinkedRequest): Mrkdwn {
  const parts = [
    stateText(request),
    requestedBy(request),
    ...(link === null ? [] : [linkTo(link, md`Open the request`)]),
    ...decisionText(request),
  ];
  return joinMrkdwn(parts, ' · ');
}

function stateText(request: RequestWithTargets): Mrkdwn {
  const { action, targets } = request;
  const [target] = targets;
  const title = commandName(action);
  const what = escapeMrkdwn(title, DISPLAY_LIMIT.name * 2);
  // A device whose turn has not come stands still with its rollout.
  const isNext = target?.state === 'ready' && isHeld(request);
  const sent = hasOutcome(request) && !isNext ? target : undefined;
  const { sign, words } = sent === undefined ? requestLabel(request) : memberLabel(sent);
  if (sent !== undefined && isFollowed(sent) && sent.state !== 'unknown')
    return md`${trustedMrkdwn(sign)} ${what} under way since ${relativeDate(sent.issuedAt)} (${trustedMrkdwn(lowerFirst(words))})`;
  const why = sent === undefined || sent.state === 'verified' ? null : evidenceText(sent.evidence, action);
  // What a person decided says when in its own words.
  const endedAt = sent?.endedAt ?? (request.decidedBy === null ? request.decidedAt : null);
  const at = endedAt === null ? md`` : md` ${relativeDate(endedAt)}`;
  const state = md`${trustedMrkdwn(sign)} ${trustedMrkdwn(words)}${at}: ${what}`;
  if (isNext) return md`${state}. Nothing was sent to this device. It waits with the rollout.`;
  return why === null ? state : md`${state}. ${why}`;
}

function decisionText({ decidedBy, decidedAt, state, comment }: RequestWithTargets): readonly Mrkdwn[] {
  if (decidedBy === null) return [];
  const words = trustedMrkdwn(state === 'denied' || state === 'withdrawn' ? STATE_TEXTS[state] : 'Approved');
  return [md`${words} by ${mentionPerson(decidedBy)} ${dateOr(decidedAt, '')}${commentText(comment)}`];
}
