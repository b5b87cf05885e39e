/** What can go wrong with subscriptions and silences, in words. */

import { code, literal, type Mrkdwn, md, trusted } from '../kit/escape.ts';
import { typed } from '../kit/typed.ts';
import type { AlertProblem } from '../models/alerts-model.ts';
import { NOTHING, type Wording } from './wording.ts';

export function alertProblemWords(problem: AlertProblem, root: string): Wording {
  switch (problem.kind) {
    case 'no-such-number':
      return {
        what: md`There is no ${trusted(problem.what)} ${problem.number}, or it has ended.`,
        changed: NOTHING,
        next: md`${typed(root, problem.what === 'alert' ? 'alerts' : 'subscriptions all')} lists them with their numbers.`,
      };
    case 'no-member':
      return {
        what: md`Patchbay is no member of ${place(problem.channel)}, or there is no such channel: it can post only where it was invited, and in a private channel only for its members.`,
        changed: NOTHING,
        next: md`Write ${code('/invite @Patchbay')} in that channel, then subscribe again; or have the alerts sent to you: ${typed(root, 'subscribe me …')}.`,
      };
    case 'channel-unread':
      return {
        what: md`Slack did not say whether Patchbay can post in ${place(problem.channel)}.`,
        changed: NOTHING,
        next: md`Try again in a minute.`,
      };
    case 'too-many-subscriptions':
      return {
        what: problem.own
          ? md`You have ${problem.most} subscriptions of your own already, which is as many as one person may have.`
          : md`There are ${problem.most} subscriptions of channels already, which is as many as there may be.`,
        changed: NOTHING,
        next: md`End one that nobody needs: ${typed(root, 'subscriptions all')} lists them.`,
      };
    case 'too-many-silences':
      return {
        what: problem.own
          ? md`You have begun ${problem.most} silences that last already, which is as many as one person may have.`
          : md`${problem.most} silences last already, which is as many as there may be.`,
        changed: NOTHING,
        next: md`End one with ${typed(root, 'silence off N')}: ${typed(root, 'subscriptions all')} lists them. One wider silence does for several.`,
      };
  }
}

function place(channel: string): Mrkdwn {
  return channel === 'here' ? md`this channel` : literal(channel);
}
