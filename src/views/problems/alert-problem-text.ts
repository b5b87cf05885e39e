/** What can go wrong with subscriptions and silences, in words. */

import { typedCommand } from '../kit/command-buttons.ts';
import { escapeMrkdwn, inlineCode, type Mrkdwn, md } from '../kit/escape.ts';
import type { AlertProblem } from '../models/alerts-model.ts';
import type { ProblemWords } from './problem-parts.ts';

export function alertProblemText(problem: AlertProblem, root: string): ProblemWords {
  switch (problem.kind) {
    case 'no-such-number':
      return {
        what: noSuch(problem),
        next: md`${typedCommand(root, problem.what === 'alert' ? 'alerts' : 'subscriptions all')} lists them with their numbers.`,
      };
    case 'no-member':
      return {
        what:
          problem.channel === 'here'
            ? md`Patchbay isn’t a member of this channel, so it can’t post here.`
            : md`Patchbay isn’t a member of ${escapeMrkdwn(problem.channel)}, or the channel doesn’t exist. For a private channel, you must be a member too.`,
        next: md`Type ${inlineCode('/invite @Patchbay')} in the channel, then subscribe again. To get the alerts yourself: ${typedCommand(root, 'subscribe me …')}`,
      };
    case 'channel-unread':
      return {
        what: md`Slack didn’t say whether Patchbay can post in ${channelText(problem.channel)}.`,
        next: md`Try again in a minute.`,
      };
    case 'too-many-subscriptions':
      return {
        what: problem.own
          ? md`You have ${problem.most} subscriptions of your own, the maximum.`
          : md`Channels have ${problem.most} subscriptions in total, the maximum.`,
        next: md`End one that nobody needs. ${typedCommand(root, 'subscriptions all')} lists them.`,
      };
    case 'too-many-silences':
      return {
        what: problem.own
          ? md`You have ${problem.most} active silences, the maximum.`
          : md`There are ${problem.most} active silences, the maximum.`,
        next: md`End one with ${typedCommand(root, 'silence off N')}. ${typedCommand(root, 'subscriptions all')} lists them. One broader silence can replace several.`,
      };
  }
}

function noSuch({ what, number }: Extract<AlertProblem, { kind: 'no-such-number' }>): Mrkdwn {
  switch (what) {
    case 'subscription':
      return md`There’s no active subscription ${number}.`;
    case 'silence':
      return md`There’s no active silence ${number}.`;
    case 'alert':
      return md`There’s no alert #${number}.`;
  }
}

function channelText(channel: string): Mrkdwn {
  return channel === 'here' ? md`this channel` : escapeMrkdwn(channel);
}
