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
      return md`Slack did not answer calls.`;
    case 'slack-refuses':
      return isTooLittle(trouble.error)
        ? md`The Slack app lacked a permission (${code(trouble.error)}).`
        : md`Slack did not accept the bot token (${code(trouble.error)}).`;
    case 'database-down':
      return md`The database did not answer.`;
    case 'database-unwritable':
      return UNWRITABLE[trouble.why];
    case 'events-unread':
      return md`The event log was not read for a while, so alerts were late.`;
    case 'ids-restarted':
      return md`New events had ids up to ${trouble.newestId}, below ${trouble.floorId}: they were taken for old ones, and nobody was alerted.`;
    case 'cards-late':
      // How many is known of the last look alone.
      return md`Messages had to wait for Slack.`;
    case 'channel-refuses':
      return refusedWords(trouble);
    case 'alerts-given-up':
      return md`Slack refused ${count(trouble.alerts, 'alert')} (${code(trouble.error)}).`;
    case 'new-database':
      return md`The database was new.`;
  }
}

const UNWRITABLE: Readonly<Record<WriteTrouble, Mrkdwn>> = {
  'disk-full': md`The disk of the database was full: nothing was stored, so no command ran and no alert was posted.`,
  'read-only': md`The database could not be written: no command ran and no alert was posted.`,
  'broken-disk': md`The disk of the database failed: no command ran and no alert was posted.`,
};

function refusedWords({ channel: id, error }: Extract<Trouble, { kind: 'channel-refuses' }>): Mrkdwn {
  const where = /^[UW]/.test(id) || isDirect(id) ? md`A direct message` : channel(id);
  if (error === 'externally_shared')
    return md`${where} was shared with another organization: its alerts were held back.`;
  return md`${where} took no messages from Patchbay (${code(error)}).`;
}
