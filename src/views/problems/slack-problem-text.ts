/** The wording of what Slack rejected: cards, shared answers and files. */

import { inlineCode, type Mrkdwn, md } from '../kit/escape.ts';
import { mentionChannel } from '../kit/mentions.ts';
import type { ProblemTable, ProblemWords } from './problem-parts.ts';

export const SLACK_PROBLEMS = {
  'card-refused': ({ channel, slackError }) => ({
    ...refusedText(mentionChannel(channel), slackError),
    changed: md`Nothing was requested or started.`,
  }),
  'card-delayed': ({ channel }) => ({
    what: md`The card for ${mentionChannel(channel)} isn’t posted yet.`,
    changed: md`Your request is saved. The card will be posted.`,
    next: md`You don’t need to request it again.`,
  }),
  'not-shared': ({ channel, slackError }) => notSharedText(mentionChannel(channel), slackError),
  'not-exported': ({ slackError }) => notExportedText(slackError),
  'external-channel': ({ channel, isKnown }) =>
    isKnown
      ? {
          what: md`${mentionChannel(channel)} is shared with another organization, so no fleet data is posted there.`,
          next: md`Use an internal channel. An admin can allow this one with ${inlineCode('externalChannels')} in the configuration file.`,
        }
      : {
          what: md`Slack didn’t say whether ${mentionChannel(channel)} is shared with another organization, so Patchbay treats it as shared.`,
          next: md`Try again in a minute, or use another channel.`,
        },
} satisfies Partial<ProblemTable>;

function notExportedText(slackError: string | null): ProblemWords {
  if (slackError === null) {
    return {
      what: md`Slack didn’t say whether the file arrived.`,
      next: md`Check your direct messages with Patchbay before you export again.`,
    };
  }
  const next =
    slackError === 'missing_scope'
      ? md`The app can’t send files yet. Ask an admin to reinstall it from its manifest.`
      : md`Try again in a moment.`;
  return { what: md`Slack rejected the file: ${inlineCode(slackError)}.`, next };
}

function notSharedText(where: Mrkdwn, slackError: string | null): ProblemWords {
  switch (slackError) {
    case null:
      return {
        what: md`Slack didn’t say whether it was posted in ${where}.`,
        next: md`Check the channel before you share it again.`,
      };
    case 'not_in_channel':
    case 'channel_not_found':
      return {
        what: md`Patchbay isn’t a member of this channel, so it can’t post here.`,
        next: md`Invite Patchbay to the channel, then share again.`,
      };
    default:
      return {
        what: md`Slack rejected the post in ${where}: ${inlineCode(slackError)}.`,
        next: md`Share it in another channel.`,
      };
  }
}

/** What to do about the most frequent errors (docs.slack.dev, chat.postMessage errors). */
function refusedText(where: Mrkdwn, slackError: string): ProblemWords {
  switch (slackError) {
    case 'not_in_channel':
    case 'channel_not_found':
      return {
        what: md`Patchbay isn’t a member of ${where}, so it can’t post the card there.`,
        next: md`Invite Patchbay to the channel, or set another one in the configuration file. Then try again.`,
      };
    case 'is_archived':
      return {
        what: md`${where} is archived, so the card can’t be posted there.`,
        next: md`Set another channel in the configuration file. Then try again.`,
      };
    default:
      return {
        what: md`Slack rejected the card for ${where}: ${inlineCode(slackError)}.`,
        next: md`Tell whoever runs Patchbay. They can check it with ${inlineCode('npm run doctor')}.`,
      };
  }
}
