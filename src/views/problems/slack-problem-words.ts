/** The wording of what Slack did not take: cards, answers that were shared, files. */

import { code, type Mrkdwn, md } from '../kit/escape.ts';
import { channel } from '../kit/mentions.ts';
import type { Problem } from '../model.ts';
import { NOTHING, type Wording } from './wording.ts';

type SlackProblem = Extract<
  Problem,
  { kind: 'card-refused' | 'card-delayed' | 'not-shared' | 'not-exported' | 'external-channel' }
>;

export function slackProblemWords(problem: SlackProblem): Wording {
  switch (problem.kind) {
    case 'card-refused':
      return {
        what: refusedWhat(problem),
        changed: md`Nothing was requested or started.`,
        next: refusedNext(problem.slackError),
      };
    case 'card-delayed':
      return {
        what: md`The card for ${channel(problem.channel)} isn’t posted yet.`,
        changed: md`Your request is saved. The card will be posted.`,
        next: md`You don’t need to request it again.`,
      };
    case 'not-shared':
      return notShared(problem);
    case 'not-exported':
      return notExported(problem.slackError);
    case 'external-channel':
      return {
        what: problem.isKnown
          ? md`${channel(problem.channel)} is shared with another organization, so no fleet data is posted there.`
          : md`Slack didn’t say whether ${channel(problem.channel)} is shared with another organization, so Patchbay treats it as shared.`,
        changed: NOTHING,
        next: problem.isKnown
          ? md`Use an internal channel. An admin can allow this one with ${code('externalChannels')} in the configuration file.`
          : md`Try again in a minute, or use another channel.`,
      };
  }
}

function notExported(slackError: string | null): Wording {
  if (slackError === null) {
    return {
      what: md`Slack didn’t say whether the file arrived.`,
      changed: NOTHING,
      next: md`Check your direct messages with Patchbay before you export again.`,
    };
  }
  const next =
    slackError === 'missing_scope'
      ? md`The app can’t send files yet. Ask an admin to reinstall it from its manifest.`
      : md`Try again in a moment.`;
  return { what: md`Slack rejected the file: ${code(slackError)}.`, changed: NOTHING, next };
}

function notShared({ channel: where, slackError }: Extract<SlackProblem, { kind: 'not-shared' }>): Wording {
  if (slackError === null) {
    return {
      what: md`Slack didn’t say whether it was posted in ${channel(where)}.`,
      changed: NOTHING,
      next: md`Check the channel before you share it again.`,
    };
  }
  const isStranger = slackError === 'not_in_channel' || slackError === 'channel_not_found';
  return {
    what: isStranger
      ? md`Patchbay isn’t a member of this channel, so it can’t post here.`
      : md`Slack rejected the post in ${channel(where)}: ${code(slackError)}.`,
    changed: NOTHING,
    next: isStranger
      ? md`Invite Patchbay to the channel, then share again.`
      : md`Share it in another channel.`,
  };
}

function refusedWhat({
  channel: where,
  slackError,
}: Extract<SlackProblem, { kind: 'card-refused' }>): Mrkdwn {
  switch (slackError) {
    case 'not_in_channel':
    case 'channel_not_found':
      return md`Patchbay isn’t a member of ${channel(where)}, so it can’t post the card there.`;
    case 'is_archived':
      return md`${channel(where)} is archived, so the card can’t be posted there.`;
    default:
      return md`Slack rejected the card for ${channel(where)}: ${code(slackError)}.`;
  }
}

/** What to do about the commonest refusals (docs.slack.dev, chat.postMessage errors). */
function refusedNext(error: string): Mrkdwn {
  switch (error) {
    case 'not_in_channel':
    case 'channel_not_found':
      return md`Invite Patchbay to the channel, or set another one in the configuration file. Then try again.`;
    case 'is_archived':
      return md`Set another channel in the configuration file. Then try again.`;
    default:
      return md`Tell whoever runs Patchbay. They can check it with ${code('npm run doctor')}.`;
  }
}
