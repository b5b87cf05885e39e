/** What was wrong with Patchbay itself and is over, in words: nothing of it holds any more. */
import { isDirect } from '../ids.ts';
import type { WriteTrouble } from '../not-stored.ts';
import type { Trouble } from '../store/health-records.ts';
import { code, type Mrkdwn, md } from './kit/escape.ts';
import { channel } from './kit/mentions.ts';
import { isTooLittle } from './troubles.ts';
import { count } from './words.ts';

/** One sentence in the past tense, without times. */
export function endedTroubleWords(trouble: Trouble): Mrkdwn {
  switch (trouble.kind) {
    case 'slack-disconnected':
      return md`Patchbay was not connected to Slack.`;
    case 'slack-silent':
      return md`Slack didn’t respond.`;
    case 'slack-refuses':
      return isTooLittle(trouble.error)
        ? md`The Slack app was missing a permission (${code(trouble.error)}).`
        : md`Slack rejected the bot token (${code(trouble.error)}).`;
    case 'database-down':
      return md`The database didn’t respond.`;
    case 'database-unwritable':
      return UNWRITABLE[trouble.why];
    case 'events-unread':
      return md`The event log was not read for a while, so alerts were late.`;
    case 'ids-restarted':
      return md`New events had IDs up to ${trouble.newestId}, below ${trouble.floorId}. They counted as old, so no alerts were posted.`;
    case 'cards-late':
      // How many is known of the last look alone.
      return md`Messages waited for Slack.`;
    case 'channel-refuses':
      return refusedWords(trouble);
    case 'alerts-given-up':
      return md`Slack rejected ${count(trouble.alerts, 'alert')} (${code(trouble.error)}).`;
    case 'new-database':
      return md`The database was new.`;
  }
}

const UNWRITABLE: Readonly<Record<WriteTrouble, Mrkdwn>> = {
  'disk-full': md`The database disk was full. Nothing was stored, so no commands ran and no alerts were posted.`,
  'read-only': md`The database couldn’t be written, so no commands ran and no alerts were posted.`,
  'broken-disk': md`The database disk failed, so no commands ran and no alerts were posted.`,
};

function refusedWords({ channel: id, error }: Extract<Trouble, { kind: 'channel-refuses' }>): Mrkdwn {
  const where = /^[UW]/.test(id) || isDirect(id) ? md`a direct message` : channel(id);
  if (error === 'externally_shared')
    return md`Alerts for ${where} were held: it was shared with another organization.`;
  return md`Patchbay couldn’t post in ${where} (${code(error)}).`;
}
