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
        changed: md`Nothing was asked or started.`,
        next: refusedNext(problem.slackError),
      };
    case 'card-delayed':
      return {
        what: md`Slack has not taken the card for ${channel(problem.channel)} yet.`,
        changed: md`Your request is kept, and the card will be posted.`,
        next: md`There is no need to ask again.`,
      };
    case 'not-shared':
      return notShared(problem);
    case 'not-exported':
      return notExported(problem.slackError);
    case 'external-channel':
      return {
        what: problem.isKnown
          ? md`${channel(problem.channel)} is shared with another organization, so nothing of the fleet is posted there.`
          : md`Slack didn’t say whether ${channel(problem.channel)} is shared with another organization, so it counts as shared.`,
        changed: NOTHING,
        next: problem.isKnown
          ? md`Use a channel of your own. An admin can allow this one with ${code('externalChannels')} in the configuration file.`
          : md`Try again in a minute, or use another channel.`,
      };
  }
}

function notExported(slackError: string | null): Wording {
  if (slackError === null) {
    return {
      what: md`Slack did not say whether the file came.`,
      changed: NOTHING,
      next: md`Look at your direct messages with Patchbay before you ask for it again.`,
    };
  }
  const next =
    slackError === 'missing_scope'
      ? md`Ask an administrator to install the app anew from its manifest: the right to send files is missing.`
      : md`Try again in a moment.`;
  return { what: md`Slack did not take the file: ${code(slackError)}.`, changed: NOTHING, next };
}

function notShared({ channel: where, slackError }: Extract<SlackProblem, { kind: 'not-shared' }>): Wording {
  if (slackError === null) {
    return {
      what: md`Slack did not say whether it was posted in ${channel(where)}.`,
      changed: NOTHING,
      next: md`Look there before you share it again.`,
    };
  }
  const isStranger = slackError === 'not_in_channel' || slackError === 'channel_not_found';
  return {
    what: isStranger
      ? md`Patchbay is no member of this channel, so it cannot post here.`
      : md`Slack did not take it for ${channel(where)}: ${code(slackError)}.`,
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
      return md`Patchbay is no member of ${channel(where)}, so it cannot post the card there.`;
    case 'is_archived':
      return md`The channel ${channel(where)} is archived, so no card can be posted there.`;
    default:
      return md`Slack did not take the card for ${channel(where)}: ${code(slackError)}.`;
  }
}

/** What to do about the commonest refusals (docs.slack.dev, chat.postMessage errors). */
function refusedNext(error: string): Mrkdwn {
  switch (error) {
    case 'not_in_channel':
    case 'channel_not_found':
      return md`Invite Patchbay to the channel, or have the configuration file name another one. Then ask again.`;
    case 'is_archived':
      return md`The channel is archived: have the configuration file name another one. Then ask again.`;
    default:
      return md`Tell whoever runs Patchbay, who can check it with ${code('npm run doctor')}.`;
  }
}
