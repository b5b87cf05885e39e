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
  channel: (id) => (/^[UW]/.test(id) || isDirect(id) ? md`A direct message` : channel(id)),
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
        what: say`Slack has answered no call since ${time(since)}.`,
        next: say`Check the network between Patchbay and Slack.`,
      };
    case 'slack-refuses':
      return refusedWords(trouble.error, kit);
    case 'database-down':
      return {
        what: say`The database has not answered since ${time(since)}.`,
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
        what: say`New events have ids up to ${trouble.newestId}, below ${trouble.floorId}: they are taken for old ones, and nobody is alerted.`,
        next: say`Ask whoever runs the management service whether its event ids were reset. If so, start Patchbay with a new database.`,
      };
    case 'cards-late':
      return {
        what: say`${counted(trouble, kit)} waiting for Slack since ${time(since)}.`,
        next: say`The log says why; ${word('npm run doctor')} checks Slack.`,
      };
    case 'channel-refuses':
      if (trouble.error === 'externally_shared')
        return {
          what: say`${kit.channel(trouble.channel)} is shared with another organization, so no alerts are posted there: ${trouble.cards} held back since ${time(since)}.`,
          next: say`Unsubscribe it or name another channel. To allow it, add its id to ${word('externalChannels')} in the configuration file and restart Patchbay.`,
        };
      return {
        what: say`${kit.channel(trouble.channel)} takes no messages from Patchbay (${word(trouble.error)}): ${trouble.cards} waiting since ${time(since)}.`,
        next:
          trouble.error === 'is_archived'
            ? say`Unarchive it, or name another channel.`
            : say`Invite the bot to it, or name another channel.`,
      };
    case 'alerts-given-up':
      return {
        what: say`Slack refused ${plural(trouble.alerts, 'alert', kit)} (${word(trouble.error)}), so no channel shows them.`,
        next: say`List them with the command ${word('alerts')}, and acknowledge each of them.`,
      };
    case 'new-database':
      return { what: say`New database: events before ${time(since)} are not known.`, next: say`` };
  }
}

/** Words by which Slack says that the app may do too little; the others are about the token itself. */
const TOO_LITTLE: ReadonlySet<string> = new Set(['missing_scope', 'no_permission', 'not_allowed_token_type']);

export const isTooLittle = (error: string): boolean => TOO_LITTLE.has(error);

function refusedWords<T>(error: string, { say, word }: Kit<T>): TroubleWords<T> {
  if (isTooLittle(error))
    return {
      what: say`The Slack app lacks a permission (${word(error)}).`,
      next: say`Update it from manifest.yml and reinstall it; ${word('npm run doctor')} names what is missing.`,
    };
  return {
    what: say`Slack does not accept the bot token (${word(error)}).`,
    next: say`Reinstall the app, set ${word('SLACK_BOT_TOKEN')} to its token, and restart Patchbay.`,
  };
}

function unwritableWords<T>(why: WriteTrouble, { say }: Kit<T>): TroubleWords<T> {
  switch (why) {
    case 'disk-full':
      return {
        what: say`The disk of the database is full: nothing is stored, so no command runs and no alert is posted.`,
        next: say`Free some space; Patchbay then goes on by itself.`,
      };
    case 'read-only':
      return {
        what: say`The database cannot be written: no command runs and no alert is posted.`,
        next: say`Make its file and folder, or its server, writable.`,
      };
    case 'broken-disk':
      return {
        what: say`The disk of the database failed: no command runs and no alert is posted.`,
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
