/** Problems of Patchbay itself that are over, in the past tense. */
import type { Instant } from '../../lib/clock.ts';
import type { WriteFailureReason } from '../../lib/not-stored.ts';
import type { Trouble } from '../../store/port/health-records.ts';
import { context, section } from '../kit/blocks.ts';
import { inlineCode, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { buildMessage } from '../kit/message.ts';
import { SIGN } from '../kit/signs.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { ActiveTrouble } from '../models/health-model.ts';
import type { RenderedMessage } from '../models/rendered-model.ts';
import { countText } from '../text/common-text.ts';
import { channelText, isTooShort, troubleMarkup } from './trouble-text.ts';

export type TroubleView = {
  /** A direct message to the people who run Patchbay. */
  readonly kind: 'trouble';
  /** Null while it lasts. */
  readonly endedAt: Instant | null;
} & ActiveTrouble;

/** One sentence in the past tense, without times. */
function endedTroubleText(trouble: Trouble): Mrkdwn {
  switch (trouble.kind) {
    case 'slack-disconnected':
      return md`Patchbay was not connected to Slack.`;
    case 'slack-silent':
      return md`Slack didn’t respond, or answered with errors.`;
    case 'slack-shared':
      return md`Another program was connected to Slack as Patchbay. It may have received commands that Patchbay never saw.`;
    case 'slack-refuses':
      return isTooShort(trouble.error)
        ? md`The Slack app was missing a permission (${inlineCode(trouble.error)}).`
        : md`Slack rejected the bot token (${inlineCode(trouble.error)}).`;
    case 'database-down':
      return md`The database didn’t respond.`;
    case 'database-unwritable':
      return UNWRITABLE[trouble.why];
    case 'service-failing':
      return trouble.cause === 'unauthorized'
        ? md`The management service rejected the API key.`
        : md`The management service didn’t answer for a while, so alerts were late.`;
    case 'list-doubted':
      return md`The management service’s list lacked ${trouble.missing} of its ${trustedMrkdwn(trouble.list)}.`;
    case 'no-devices':
      return md`The management service listed no devices.`;
    case 'events-unread':
      return md`The event log was not read for a while, so alerts were late.`;
    case 'events-missing':
      return md`The event log didn’t list all events for a while.`;
    case 'ids-restarted':
      return md`New events had IDs up to ${trouble.newestId}, below ${trouble.floorId}. They counted as old, so no alerts were posted.`;
    case 'cards-late':
      // How many is known of the last look alone.
      return md`Messages waited for Slack.`;
    case 'channel-refuses':
      return refusedChannelText(trouble);
    case 'alerts-given-up':
      return md`Slack rejected ${countText(trouble.alerts, 'alert')} (${inlineCode(trouble.error)}).`;
    case 'new-database':
      return md`The database was new.`;
  }
}

const UNWRITABLE: Readonly<Record<WriteFailureReason, Mrkdwn>> = {
  'disk-full': md`The database disk was full. Nothing was stored, so no commands ran and no alerts were posted.`,
  'read-only': md`The database couldn’t be written, so no commands ran and no alerts were posted.`,
  'broken-disk': md`The database disk failed, so no commands ran and no alerts were posted.`,
};

function refusedChannelText({ channel: id, error }: Extract<Trouble, { kind: 'channel-refuses' }>): Mrkdwn {
  const where = channelText(id);
  if (error === 'externally_shared')
    return md`Alerts for ${where} were held: it was shared with another organization.`;
  if (error === 'requests_shortened')
    return md`Cards of requests in ${where} were shortened: it was shared with another organization.`;
  return md`Patchbay couldn’t post in ${where} (${inlineCode(error)}).`;
}

/** A problem of Patchbay itself, sent to the admins directly; edited when it is over. */
export function renderTroubleCard(view: TroubleView): RenderedMessage {
  const { what, next } = troubleMarkup(view);
  if (view.trouble.kind === 'new-database') return buildMessage({ text: what, body: [section(what)] });
  // What was given up is never resolved.
  const isLost = view.trouble.kind === 'events-missing' && view.trouble.givenUp;
  if (view.endedAt === null || isLost) {
    const text = md`${trustedMrkdwn(SIGN.failed)} *Patchbay has a problem*: ${what}`;
    return buildMessage({ text, body: [section(text), section(next)] });
  }
  const text = md`${trustedMrkdwn(SIGN.good)} *Resolved* ${relativeDate(view.endedAt)}: ${endedTroubleText(view.trouble)}`;
  return buildMessage({
    text,
    body: [section(text)],
    footer: [context(md`Started ${relativeDate(view.since)}.`)],
  });
}
