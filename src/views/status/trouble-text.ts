/** What is wrong with Patchbay itself, in words: as Slack's markup and as plain text. */

import type { Instant } from '../../lib/clock.ts';
import { type ChannelId, isDirectMessage, isPersonAddress } from '../../lib/ids.ts';
import type { WriteFailureReason } from '../../lib/not-stored.ts';
import { byKind } from '../../lib/record-fields.ts';
import type { Trouble } from '../../store/port/health-records.ts';
import { ONE_OF } from '../fleet/completeness.ts';
import { context, section } from '../kit/blocks.ts';
import { inlineCode, type Mrkdwn, md, singleLine, trustedMrkdwn } from '../kit/escape.ts';
import { type Block, DISPLAY_LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { mentionChannel } from '../kit/mentions.ts';
import { buildMessage, SIGN } from '../kit/message.ts';
import { relativeDate, utcTime } from '../kit/timestamps.ts';
import type { ActiveTrouble } from '../models/health-model.ts';
import { countText } from '../text/common-text.ts';

/** How parts of a sentence are made safe for where it is shown. */
type TextFormat<T> = {
  readonly text: (strings: TemplateStringsArray, ...values: readonly (T | number)[]) => T;
  readonly time: (at: ActiveTrouble['since']) => T;
  /** Slack's own word, or a command to type. */
  readonly word: (text: string) => T;
  readonly channel: (id: ChannelId) => T;
  /** A word of ours. */
  readonly noun: (word: string) => T;
};
type TroubleText<T> = {
  readonly what: T;
  /** What somebody has to do. */
  readonly next: T;
};

const MARKUP_FORMAT: TextFormat<Mrkdwn> = {
  text: md,
  time: relativeDate,
  word: (text) => inlineCode(text, DISPLAY_LIMIT.sentence),
  channel: channelText,
  noun: trustedMrkdwn,
};
const PLAIN_FORMAT: TextFormat<string> = {
  text: (strings, ...values) => String.raw({ raw: strings }, ...values),
  time: utcTime,
  word: singleLine,
  channel: singleLine,
  noun: (word) => word,
};

function channelText(id: ChannelId): Mrkdwn {
  return isPersonAddress(id) || isDirectMessage(id) ? md`a direct message` : mentionChannel(id);
}

export function troubleMarkup(activeTrouble: ActiveTrouble): TroubleText<Mrkdwn> {
  return troubleParts(activeTrouble, MARKUP_FORMAT);
}

export function healthTitle(troubles: readonly ActiveTrouble[]): Mrkdwn {
  return troubles.length === 0
    ? md`${trustedMrkdwn(SIGN.good)} *Patchbay is healthy*`
    : md`${trustedMrkdwn(SIGN.warning)} *Patchbay needs attention*`;
}

/** In a report of more than this. */
export function troubleBlock(activeTrouble: ActiveTrouble): Block {
  const { what, next } = troubleMarkup(activeTrouble);
  return section(md`${trustedMrkdwn(SIGN.failed)} *Problem:* ${what}\n${next}`);
}

/** One line, for whoever reads it outside Slack. */
export function troublePlainText(activeTrouble: ActiveTrouble): string {
  const { what, next } = troubleParts(activeTrouble, PLAIN_FORMAT);
  return [what, next].filter((part) => part !== '').join(' ');
}

function troubleParts<T>({ trouble, since }: ActiveTrouble, kit: TextFormat<T>): TroubleText<T> {
  const { text, time, word } = kit;
  switch (trouble.kind) {
    case 'slack-disconnected':
      return {
        what: text`Not connected to Slack since ${time(since)}.`,
        next: text`Check the network and the app-level token.`,
      };
    case 'slack-silent':
      return {
        what: text`Slack hasn’t responded, or has answered with errors, since ${time(since)}.`,
        next: text`Check the network between Patchbay and Slack.`,
      };
    case 'slack-shared':
      return {
        what: text`Another program has been connected to Slack as Patchbay since ${time(since)} (connections that Patchbay didn’t open: ${trouble.connections}). It receives commands that Patchbay never sees.`,
        next: text`Stop it. If you don’t know it, revoke the app-level token, create a new one, and set ${word('SLACK_APP_TOKEN')}.`,
      };
    case 'slack-refuses':
      return refusedTokenText(trouble.error, kit);
    case 'database-down':
      return {
        what: text`The database hasn’t responded since ${time(since)}.`,
        next: text`Check its server and ${word('DATABASE_URL')}.`,
      };
    case 'database-unwritable':
      return unwritableText(trouble.why, kit);
    case 'service-failing':
      return failingText(trouble, since, kit);
    case 'list-doubted':
      return {
        what: text`The management service’s list has lacked ${plural(trouble.missing, ONE_OF[trouble.list], kit, trouble.list)} since ${time(since)}.`,
        next: text`Patchbay keeps what is missing until the management service confirms its removal. Until then, changes can’t select devices by filters.`,
      };
    case 'no-devices':
      return {
        what: text`The management service lists no devices.`,
        next: text`Check ${word('FLEET_ORGANIZATION')} and the rights of the API key.`,
      };
    case 'configuration-refused':
      return {
        what: text`The configuration file has had faults since ${time(since)}, so the one before stays in force: ${word(trouble.faults.join('; '))}`,
        next: text`Correct it. ${word('npm run config -- test')} checks it.`,
      };
    case 'configuration-differs':
      return {
        what: text`Replicas of Patchbay have had different configuration files in force since ${time(since)}.`,
        next: text`Give all of them the same file.`,
      };
    case 'events-unread':
      return {
        // What was never read has no last time.
        what: trouble.neverRead
          ? text`The event log hasn’t been read since Patchbay started ${time(since)}, so no alerts are posted.`
          : text`The event log was last read ${time(since)}, so alerts are late.`,
        next: text`Check the management service with ${word('npm run doctor')}.`,
      };
    case 'events-missing':
      return {
        what: text`Events between ${time(trouble.from)} and ${time(trouble.until)} may be missing: the event log didn’t list all of them.`,
        next: trouble.givenUp
          ? text`Patchbay stopped looking after 24 hours. Check the management service for failures of that time.`
          : text`Patchbay reads the log again every 10 minutes and posts what it finds.`,
      };
    case 'ids-restarted':
      return {
        what: text`New events have IDs up to ${trouble.newestId}, below ${trouble.floorId}. They count as old, so no alerts are posted.`,
        next: text`Ask whoever runs the management service whether event IDs were reset. If so, start Patchbay with a new database.`,
      };
    case 'cards-late':
      return {
        what: text`${countedMessages(trouble, kit)} waiting for Slack since ${time(since)}.`,
        next: text`See the log for the cause. ${word('npm run doctor')} checks Slack.`,
      };
    case 'channel-refuses':
      return refusedChannelText(trouble, since, kit);
    case 'alerts-given-up':
      return {
        what: text`Slack rejected ${plural(trouble.alerts, 'alert', kit)} (${word(trouble.error)}). No channel shows them.`,
        next: text`List them with the ${word('alerts')} command, then acknowledge each one.`,
      };
    case 'new-database':
      return { what: newDatabaseText(trouble, since, kit), next: text`` };
  }
}

function failingText<T>(
  { cause, failures }: Extract<Trouble, { kind: 'service-failing' }>,
  since: Instant,
  kit: TextFormat<T>,
): TroubleText<T> {
  const { text, time, word } = kit;
  if (cause === 'unauthorized')
    return {
      what: text`The management service has rejected the API key since ${time(since)} (401).`,
      next: text`Set a valid ${word('FLEET_API_KEY')} and restart Patchbay.`,
    };
  return {
    what: text`${kit.noun(FAILURES[cause] ?? 'The management service has answered with errors')} since ${time(since)} (${plural(failures, 'failure', kit)} in a row), so alerts are late.`,
    next: text`Patchbay keeps trying. Check the service with ${word('npm run doctor')}.`,
  };
}

const FAILURES: Partial<Readonly<Record<string, string>>> = {
  unreachable: 'Patchbay hasn’t reached the management service',
  timeout: 'The management service hasn’t answered in time',
};

/** Where the time tells old events from new ones, those from just before the start cannot be told apart. */
function newDatabaseText<T>(
  { newFrom }: Extract<Trouble, { kind: 'new-database' }>,
  since: Instant,
  { text, time }: TextFormat<T>,
): T {
  if (newFrom === undefined) return text`New database: Patchbay doesn’t know events before ${time(since)}.`;
  return text`New database: Patchbay doesn’t know earlier events. The event log was empty or unordered, so events from ${time(newFrom)} or later are posted. Some may have happened before Patchbay started.`;
}

/** Words by which Slack says that the app may do too little; the others are about the token itself. */
const TOO_SHORT: ReadonlySet<string> = new Set(['missing_scope', 'no_permission', 'not_allowed_token_type']);

function refusedChannelText<T>(
  trouble: Extract<Trouble, { kind: 'channel-refuses' }>,
  since: Instant,
  kit: TextFormat<T>,
): TroubleText<T> {
  const { text, time, word } = kit;
  if (trouble.error === 'requests_shortened')
    return {
      what: text`Cards of requests in ${kit.channel(trouble.channel)} are shortened since ${time(since)}, because it is shared with another organization.`,
      next: text`Use another channel for approvals. To show them, add its ID to ${word('externalChannels')} in the configuration file and restart Patchbay.`,
    };
  if (trouble.error === 'externally_shared')
    return {
      what: text`No alerts are posted in ${kit.channel(trouble.channel)}, which is shared with another organization: ${trouble.cards} held since ${time(since)}.`,
      next: text`Unsubscribe it or use another channel. To allow it, add its ID to ${word('externalChannels')} in the configuration file and restart Patchbay.`,
    };
  return {
    what: text`Patchbay can’t post in ${kit.channel(trouble.channel)} (${word(trouble.error)}): ${trouble.cards} waiting since ${time(since)}.`,
    next:
      trouble.error === 'is_archived'
        ? text`Unarchive it, or use another channel.`
        : text`Invite the bot to it, or use another channel.`,
  };
}

function refusedTokenText<T>(error: string, { text, word }: TextFormat<T>): TroubleText<T> {
  if (TOO_SHORT.has(error))
    return {
      what: text`The Slack app is missing a permission (${word(error)}).`,
      next: text`Update it from manifest.yml and reinstall it. ${word('npm run doctor')} lists what is missing.`,
    };
  return {
    what: text`Slack rejects the bot token (${word(error)}).`,
    next: text`Reinstall the app, set ${word('SLACK_BOT_TOKEN')} to its token, and restart Patchbay.`,
  };
}

function unwritableText<T>(why: WriteFailureReason, { text }: TextFormat<T>): TroubleText<T> {
  switch (why) {
    case 'disk-full':
      return {
        what: text`The database disk is full. Nothing is stored, so no commands run and no alerts are posted.`,
        next: text`Free some space. Patchbay then recovers on its own.`,
      };
    case 'read-only':
      return {
        what: text`The database can’t be written, so no commands run and no alerts are posted.`,
        next: text`Make its file and folder, or its server, writable.`,
      };
    case 'broken-disk':
      return {
        what: text`The database disk failed, so no commands run and no alerts are posted.`,
        next: text`Check the disk.`,
      };
  }
}

function countedMessages<T>(
  { cards, alerts }: Extract<Trouble, { kind: 'cards-late' }>,
  kit: TextFormat<T>,
): T {
  const others = cards - alerts;
  if (alerts === 0) return plural(others, 'message', kit);
  const first = plural(alerts, 'alert', kit);
  return others === 0 ? first : kit.text`${first} and ${plural(others, 'other message', kit)}`;
}

function plural<T>(number: number, one: string, { text, noun }: TextFormat<T>, many = `${one}s`): T {
  return text`${number} ${noun(number === 1 ? one : many)}`;
}

type TroubleView = {
  /** A direct message to the people who run Patchbay. */
  readonly kind: 'trouble';
  /** Null while it lasts. */
  readonly endedAt: Instant | null;
} & ActiveTrouble;

/** One sentence in the past tense, without times. */
const endedTroubleText = byKind<Trouble, Mrkdwn>({
  'slack-disconnected': md`Patchbay was not connected to Slack.`,
  'slack-silent': md`Slack didn’t respond, or answered with errors.`,
  'slack-shared': md`Another program was connected to Slack as Patchbay. It may have received commands that Patchbay never saw.`,
  'slack-refuses': ({ error }) =>
    TOO_SHORT.has(error)
      ? md`The Slack app was missing a permission (${inlineCode(error)}).`
      : md`Slack rejected the bot token (${inlineCode(error)}).`,
  'database-down': md`The database didn’t respond.`,
  'database-unwritable': ({ why }) => UNWRITABLE[why],
  'service-failing': ({ cause }) =>
    cause === 'unauthorized'
      ? md`The management service rejected the API key.`
      : md`The management service didn’t answer for a while, so alerts were late.`,
  'list-doubted': ({ list, missing }) =>
    md`The management service’s list lacked ${missing} of its ${trustedMrkdwn(list)}.`,
  'no-devices': md`The management service listed no devices.`,
  'configuration-refused': md`The configuration file had faults, so the one before stayed in force.`,
  'configuration-differs': md`Replicas of Patchbay had different configuration files in force.`,
  'events-unread': md`The event log was not read for a while, so alerts were late.`,
  'events-missing': md`The event log didn’t list all events for a while.`,
  'ids-restarted': ({ newestId, floorId }) =>
    md`New events had IDs up to ${newestId}, below ${floorId}. They counted as old, so no alerts were posted.`,
  'cards-late': () => {
    // How many is known of the last look alone.
    return md`Messages waited for Slack.`;
  },
  'channel-refuses': pastRefusedChannelText,
  'alerts-given-up': ({ alerts, error }) =>
    md`Slack rejected ${countText(alerts, 'alert')} (${inlineCode(error)}).`,
  'new-database': md`The database was new.`,
});

const UNWRITABLE: Readonly<Record<WriteFailureReason, Mrkdwn>> = {
  'disk-full': md`The database disk was full. Nothing was stored, so no commands ran and no alerts were posted.`,
  'read-only': md`The database couldn’t be written, so no commands ran and no alerts were posted.`,
  'broken-disk': md`The database disk failed, so no commands ran and no alerts were posted.`,
};

function pastRefusedChannelText({ channel, error }: Extract<Trouble, { kind: 'channel-refuses' }>): Mrkdwn {
  const where = channelText(channel);
  if (error === 'externally_shared')
    return md`Alerts for ${where} were held: it was shared with another organization.`;
  if (error === 'requests_shortened')
    return md`Cards of requests in ${where} were shortened: it was shared with another organization.`;
  return md`Patchbay couldn’t post in ${where} (${inlineCode(error)}).`;
}

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
