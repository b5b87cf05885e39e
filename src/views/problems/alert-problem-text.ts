/** What can go wrong with subscriptions and silences, in words. */

import { typedCommand } from '../kit/command-buttons.ts';
import { escapeMrkdwn, inlineCode, md } from '../kit/escape.ts';
import type { ProblemTable } from './problem-parts.ts';

export const ALERT_PROBLEMS = {
  'no-such-number': ({ what, number }, root) => ({
    what:
      what === 'alert'
        ? md`There’s no alert #${number}.`
        : md`There’s no active ${escapeMrkdwn(what)} ${number}.`,
    next: md`${typedCommand(root, what === 'alert' ? 'alerts' : 'subscriptions all')} lists them with their numbers.`,
  }),
  'no-member': ({ channel }, root) => ({
    what:
      channel === 'here'
        ? md`Patchbay isn’t a member of this channel, so it can’t post here.`
        : md`Patchbay isn’t a member of ${escapeMrkdwn(channel)}, or the channel doesn’t exist. For a private channel, you must be a member too.`,
    next: md`Type ${inlineCode('/invite @Patchbay')} in the channel, then subscribe again. To get the alerts yourself: ${typedCommand(root, 'subscribe me …')}`,
  }),
  'channel-unread': ({ channel }) => ({
    what: md`Slack didn’t say whether Patchbay can post in ${channel === 'here' ? md`this channel` : escapeMrkdwn(channel)}.`,
    next: md`Try again in a minute.`,
  }),
  'too-many-subscriptions': ({ own, most }, root) => ({
    what: own
      ? md`You have ${most} subscriptions of your own, the maximum.`
      : md`Channels have ${most} subscriptions in total, the maximum.`,
    next: md`End one that nobody needs. ${typedCommand(root, 'subscriptions all')} lists them.`,
  }),
  'too-many-silences': ({ own, most }, root) => ({
    what: md`${own ? md`You have` : md`There are`} ${most} active silences, the maximum.`,
    next: md`End one with ${typedCommand(root, 'silence off N')}. ${typedCommand(root, 'subscriptions all')} lists them. One broader silence can replace several.`,
  }),
} satisfies Partial<ProblemTable>;
