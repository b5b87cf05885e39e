/** The announcement in channels whose alerts are all silenced: silence otherwise looks as if nothing had failed. */
import type { Instant } from '../../lib/clock.ts';
import type { ChannelId } from '../../lib/ids.ts';
import type { SilenceRecord } from '../../store/port/alert-records.ts';
import { actions, context, section } from '../kit/blocks.ts';
import { type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { mentionPerson } from '../kit/mentions.ts';
import { buildMessage } from '../kit/message.ts';
import { SIGN } from '../kit/signs.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { RenderedMessage } from '../models/rendered-model.ts';
import { andReason, HELD_UNTIL_END, silenceScopeText } from './alert-text.ts';
import { endSilenceButton } from './subscription-list.ts';

/** The announcement of a silence that holds everything the channel would get. Edited when it ends. */
export type ActiveSilenceView = {
  readonly kind: 'silence-on';
  readonly silence: SilenceRecord;
  readonly channel: ChannelId;
};

/** The announcement, which is edited when the silence ends or is extended. */
export function renderActiveSilence({ silence }: ActiveSilenceView): RenderedMessage {
  const { scope, until, createdBy, endedAt, reason } = silence;
  const what = md`${mentionPerson(createdBy)} silenced ${silenceScopeText(scope)}, in every channel.${andReason(reason)}`;
  if (endedAt !== null) {
    const over = md`${trustedMrkdwn(SIGN.ended)} *Silence ended*\n${endedText(silence, endedAt)} ${POSTED_AGAIN}`;
    return buildMessage({ text: over, body: [section(over), context(what)] });
  }
  const title = md`${trustedMrkdwn(SIGN.waiting)} *Alerts silenced until ${relativeDate(until)}*\n${what}`;
  return buildMessage({
    text: title,
    body: [section(title), context(HELD_UNTIL_END)],
    footer: actions(endSilenceButton(silence)),
  });
}

/** Another silence may hold the same alerts. */
const POSTED_AGAIN = md`Alerts are posted here again, unless another silence holds them.`;

function endedText({ endedBy }: SilenceRecord, at: Instant): Mrkdwn {
  return endedBy === null || endedBy === 'patchbay'
    ? md`It expired ${relativeDate(at)}.`
    : md`${mentionPerson(endedBy)} ended it ${relativeDate(at)}.`;
}
