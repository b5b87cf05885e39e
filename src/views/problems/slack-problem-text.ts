/** The wording of what Slack rejected: cards, shared answers and files. */

import { inlineCode, type Mrkdwn, md } from '../kit/escape.ts';
import { mentionChannel } from '../kit/mentions.ts';
import type { Problem } from '../models/problem-model.ts';
import type { ProblemWords } from './problem-parts.ts';

type SlackProblem = Extract<
  Problem,
  { kind: 'card-refused' | 'card-delayed' | 'not-shared' | 'not-exported' | 'external-channel' }
>;

export function slackProblemText(problem: SlackProblem): ProblemWords {
  switch (problem.kind) {
    case 'card-refused':
      return {
        what: refusedText(problem),
        changed: md`Nothing was requested or started.`,
        next: refusedNextText(problem.slackError),
      };
    case 'card-delayed':
      return {
        what: md`The card for ${mentionChannel(problem.channel)} isn’t posted yet.`,
        changed: md`Your request is saved. The card will be posted.`,
        next: md`You don’t need to request it again.`,
      };
    case 'not-shared':
      return notSharedText(problem);
    case 'not-exported':
      return notExportedText(problem.slackError);
    case 'external-channel':
      return {
        what: problem.isKnown
          ? md`${mentionChannel(problem.channel)} is shared with another organization, so no fleet data is posted there.`
          : md`Slack didn’t say whether ${mentionChannel(problem.channel)} is shared with another organization, so Patchbay treats it as shared.`,
        next: problem.isKnown
          ? md`Use an internal channel. An admin can allow this one with ${inlineCode('externalChannels')} in the configuration file.`
          : md`Try again in a minute, or use another channel.`,
      };
  }
}

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

function notSharedText({
  channel: where,
  slackError,
}: Extract<SlackProblem, { kind: 'not-shared' }>): ProblemWords {
  if (slackError === null) {
    return {
      what: md`Slack didn’t say whether it was posted in ${mentionChannel(where)}.`,
      next: md`Check the channel before you share it again.`,
    };
  }
  const isStranger = slackError === 'not_in_channel' || slackError === 'channel_not_found';
  return {
    what: isStranger
      ? md`Patchbay isn’t a member of this channel, so it can’t post here.`
      : md`Slack rejected the post in ${mentionChannel(where)}: ${inlineCode(slackError)}.`,
    next: isStranger
      ? md`Invite Patchbay to the channel, then share again.`
      : md`Share it in another channel.`,
  };
}

function refusedText({
  channel: where,
  slackError,
}: Extract<SlackProblem, { kind: 'card-refused' }>): Mrkdwn {
  switch (slackError) {
    case 'not_in_channel':
    case 'channel_not_found':
      return md`Patchbay isn’t a member of ${mentionChannel(where)}, so it can’t post the card there.`;
    case 'is_archived':
      return md`${mentionChannel(where)} is archived, so the card can’t be posted there.`;
    default:
      return md`Slack rejected the card for ${mentionChannel(where)}: ${inlineCode(slackError)}.`;
  }
}

/** What to do about the most frequent errors (docs.slack.dev, chat.postMessage errors). */
function refusedNextText(error: string): Mrkdwn {
  switch (error) {
    case 'not_in_channel':
    case 'channel_not_found':
      return md`Invite Patchbay to the channel, or set another one in the configuration file. Then try again.`;
    case 'is_archived':
      return md`Set another channel in the configuration file. Then try again.`;
    default:
      return md`Tell whoever runs Patchbay. They can check it with ${inlineCode('npm run doctor')}.`;
  }
}
