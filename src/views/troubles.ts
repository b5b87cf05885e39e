/** What is wrong with Patchbay itself, in words: as Slack's markup and as plain text. */
import { type ChannelId, isDirect } from '../ids.ts';
import type { WriteTrouble } from '../not-stored.ts';
import type { Trouble } from '../store/health-records.ts';
import { code, type Mrkdwn, md, oneLine, trusted } from './kit/escape.ts';
import { channel } from './kit/mentions.ts';
import { utc, when } from './kit/when.ts';
import type { ShownTrouble } from './models/health-model.ts';

/** How parts of a sentence are made safe for where it is shown. */
type Kit<T> = {
  readonly say: (strings: TemplateStringsArray, ...values: readonly (T | number)[]) => T;
  readonly time: (at: ShownTrouble['since']) => T;
  /** Slack's own word, or a command to type. */
  readonly word: (text: string) => T;
  readonly channel: (id: ChannelId) => T;
  /** A word of ours. */
  readonly noun: (word: string) => T;
};
export type TroubleWords<T> = {
  readonly what: T;
  /** What somebody has to do. */
  readonly next: T;
};

const MARKUP: Kit<Mrkdwn> = {
  say: md,
  time: when,
  word: (text) => code(text),
  channel: (id) => (/^[UW]/.test(id) || isDirect(id) ? md`a direct message` : channel(id)),
  noun: trusted,
};
const PLAIN: Kit<string> = {
  say: (strings, ...values) => String.raw({ raw: strings }, ...values),
  time: utc,
  word: oneLine,
  channel: oneLine,
  noun: (word) => word,
};

export function troubleWords(shown: ShownTrouble): TroubleWords<Mrkdwn> {
  return words(shown, MARKUP);
}

/** One line, for whoever reads it outside Slack. */
export function troubleText(shown: ShownTrouble): string {
  const { what, next } = words(shown, PLAIN);
  return [what, next].filter((part) => part !== '').join(' ');
}

function words<T>({ trouble, since }: ShownTrouble, kit: Kit<T>): TroubleWords<T> {
  const { say, time, word } = kit;
  switch (trouble.kind) {
    case 'slack-disconnected':
      return {
        what: say`Not connected to Slack since ${time(since)}.`,
        next: say`Check the network and the app-level token.`,
      };
    case 'slack-silent':
      return {
        what: say`Slack hasn’t responded since ${time(since)}.`,
        next: say`Check the network between Patchbay and Slack.`,
      };
    case 'slack-refuses':
      return refusedWords(trouble.error, kit);
    case 'database-down':
      return {
        what: say`The database hasn’t responded since ${time(since)}.`,
        next: say`Check its server and ${word('DATABASE_URL')}.`,
      };
    case 'database-unwritable':
      return unwritableWords(trouble.why, kit);
    case 'events-unread':
      return {
        what: say`The event log was last read ${time(since)}, so alerts are late.`,
        next: say`Check the management service with ${word('npm run doctor')}.`,
      };
    case 'ids-restarted':
      return {
        what: say`New events have IDs up to ${trouble.newestId}, below ${trouble.floorId}. They count as old, so no alerts are posted.`,
        next: say`Ask whoever runs the management service whether event IDs were reset. If so, start Patchbay with a new database.`,
      };
    case 'cards-late':
      return {
        what: say`${counted(trouble, kit)} waiting for Slack since ${time(since)}.`,
        next: say`See the log for the cause. ${word('npm run doctor')} checks Slack.`,
      };
    case 'channel-refuses':
      if (trouble.error === 'externally_shared')
        return {
          what: say`No alerts are posted in ${kit.channel(trouble.channel)}, which is shared with another organization: ${trouble.cards} held since ${time(since)}.`,
          next: say`Unsubscribe it or use another channel. To allow it, add its ID to ${word('externalChannels')} in the configuration file and restart Patchbay.`,
        };
      return {
        what: say`Patchbay can’t post in ${kit.channel(trouble.channel)} (${word(trouble.error)}): ${trouble.cards} waiting since ${time(since)}.`,
        next:
          trouble.error === 'is_archived'
            ? say`Unarchive it, or use another channel.`
            : say`Invite the bot to it, or use another channel.`,
      };
    case 'alerts-given-up':
      return {
        what: say`Slack rejected ${plural(trouble.alerts, 'alert', kit)} (${word(trouble.error)}). No channel shows them.`,
        next: say`List them with the ${word('alerts')} command, then acknowledge each one.`,
      };
    case 'new-database':
      return { what: say`New database: Patchbay doesn’t know events before ${time(since)}.`, next: say`` };
  }
}

/** Words by which Slack says that the app may do too little; the others are about the token itself. */
const TOO_LITTLE: ReadonlySet<string> = new Set(['missing_scope', 'no_permission', 'not_allowed_token_type']);

export const isTooLittle = (error: string): boolean => TOO_LITTLE.has(error);

function refusedWords<T>(error: string, { say, word }: Kit<T>): TroubleWords<T> {
  if (isTooLittle(error))
    return {
      what: say`The Slack app is missing a permission (${word(error)}).`,
      next: say`Update it from manifest.yml and reinstall it. ${word('npm run doctor')} lists what is missing.`,
    };
  return {
    what: say`Slack rejects the bot token (${word(error)}).`,
    next: say`Reinstall the app, set ${word('SLACK_BOT_TOKEN')} to its token, and restart Patchbay.`,
  };
}

function unwritableWords<T>(why: WriteTrouble, { say }: Kit<T>): TroubleWords<T> {
  switch (why) {
    case 'disk-full':
      return {
        what: say`The database disk is full. Nothing is stored, so no commands run and no alerts are posted.`,
        next: say`Free some space. Patchbay then recovers on its own.`,
      };
    case 'read-only':
      return {
        what: say`The database can’t be written, so no commands run and no alerts are posted.`,
        next: say`Make its file and folder, or its server, writable.`,
      };
    case 'broken-disk':
      return {
        what: say`The database disk failed, so no commands run and no alerts are posted.`,
        next: say`Check the disk.`,
      };
  }
}

function counted<T>({ cards, alerts }: Extract<Trouble, { kind: 'cards-late' }>, kit: Kit<T>): T {
  const others = cards - alerts;
  if (alerts === 0) return plural(others, 'message', kit);
  const first = plural(alerts, 'alert', kit);
  return others === 0 ? first : kit.say`${first} and ${plural(others, 'other message', kit)}`;
}

function plural<T>(number: number, what: 'alert' | 'message' | 'other message', { say, noun }: Kit<T>): T {
  return say`${number} ${noun(number === 1 ? what : `${what}s`)}`;
}
