/** Private answer to somebody whose request now waits for approval. */

import type { FleetAction } from '../../fleet/model/actions.ts';
import type { Instant } from '../../lib/clock.ts';
import type { ChannelId, PersonId, RequestId } from '../../lib/ids.ts';
import { durationText } from '../../lib/text.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import { actions, context, section } from '../kit/blocks.ts';
import { typedCommand } from '../kit/command-buttons.ts';
import { joinMrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { linkTo, mentionChannel, mentionPerson } from '../kit/mentions.ts';
import { buildMessage } from '../kit/message.ts';
import { SIGN } from '../kit/signs.ts';
import { dateOr, relativeDate } from '../kit/timestamps.ts';
import type { RenderedMessage } from '../models/rendered-model.ts';
import { actionTitle, type DeviceNames, requestFor } from '../text/common-text.ts';
import { addReasonButton, withdrawButton } from './decision-buttons.ts';
import { requestChoiceAgainButton } from './request-again.ts';
import { namesOf, requestedBy, requestTitle } from './request-card.ts';

/** Private answers to the requester. `link`: a permalink to the card. */
export type WaitingView = {
  readonly kind: 'asked';
  readonly request: RequestWithTargets;
  readonly channel: ChannelId;
  readonly link: string | null;
  readonly already: boolean;
  /** Whether the reader requested it. */
  readonly mine: boolean;
  /** A reason given now that the card does not show, because the request existed already. */
  readonly reasonUnused: boolean;
};

export type StartedView = {
  readonly kind: 'started';
  readonly requestId: RequestId;
  readonly action: FleetAction;
  /** Names of the devices or how many they are, or the name of the group. */
  readonly names: DeviceNames;
  readonly link: string | null;
  /** It was requested before. */
  readonly already?: true;
  /** The requester; absent: the reader. */
  readonly by?: PersonId;
};

/** A press or form arrived too late, so nothing was requested or sent. */
export type TooLateView = {
  readonly kind: 'too-late';
  readonly command: string;
  readonly input: unknown;
  /** The name of the device, group or alert; null where there is no single one. */
  readonly subject: string | null;
  readonly askedAt: Instant;
  readonly maxAgeMs: number;
  readonly root: string;
};

/** `block_id` of its buttons, which tells it from the card, where one of them stands too. */
export const REQUEST_ANSWER_BLOCK = 'asked';

/** It names no state: nothing edits it once somebody decides. The card does. */
export function renderRequestWaiting(view: WaitingView): RenderedMessage {
  const { request, mine, already } = view;
  const words = already ? md`Approval was already requested` : md`Approval requested`;
  const where = [
    md`Approvers see it in ${mentionChannel(view.channel)}.`,
    md`Without a decision, it expires ${dateOr(request.expiresAt, '')}.`,
    ...(view.link === null ? [] : [linkTo(view.link, md`Open the request`)]),
  ];
  return buildMessage({
    text: md`${words}: ${actionTitle(request.action, namesOf(request))}`,
    body: [
      section(md`${words}: ${requestTitle(request)}`),
      ...(mine ? [] : [section(requestedBy(request))]),
      ...(view.reasonUnused ? [section(md`Your reason was not added.`)] : []),
      context(md`Nothing is sent without an approval. ${joinMrkdwn(where, ' ')}`),
    ],
    footer: mine
      ? actions(request.reason === null ? addReasonButton(request) : null, withdrawButton(request)).map(
          (block) => ({ ...block, block_id: REQUEST_ANSWER_BLOCK }),
        )
      : [],
  });
}

/** Private answer to somebody whose command needed no approval. */
export function renderOperationStarted(view: StartedView): RenderedMessage {
  const { already = false, by } = view;
  const what = requestFor(view.action, view.names);
  const whose = by === undefined ? md`` : md` by ${mentionPerson(by)}`;
  const text = already ? md`${what} was already requested${whose}.` : md`${what} requested${whose}.`;
  // Slack may be slow: then the card is not posted yet, or its link is not known.
  const follow =
    view.link === null
      ? md`Its progress will appear in a separate message.`
      : md`Follow its progress: ${linkTo(view.link, md`Open the request`)}`;
  return buildMessage({ text: md`${text} ${follow}`, body: [section(md`${text} ${follow}`)] });
}

/** Answer to a click, form or message that was handled too late. */
export function renderTooLate(view: TooLateView): RenderedMessage {
  const { command, input, subject, maxAgeMs, root } = view;
  const what = typedCommand(root, subject === null ? command : `${command} ${subject}`);
  const text = md`${trustedMrkdwn(SIGN.ended)} *Not sent:* ${what}`;
  const again = requestChoiceAgainButton({ command, input });
  const limit = md`Too late: requested ${relativeDate(view.askedAt)}. Changes older than ${trustedMrkdwn(durationText(maxAgeMs))} aren’t sent.`;
  const next = again === null ? md` To request it again, type ${typedCommand(root, command)}.` : md``;
  return buildMessage({
    text: md`${text} ${limit}${next}`,
    body: [section(md`${text}\n${limit}${next}`)],
    footer: actions(again),
  });
}
