/** The wording of problems around settings and the pause. */

import { NAMED_LINE_NOUNS } from '../answers/named-line-list.ts';
import { typedCommand } from '../kit/command-buttons.ts';
import { escapeMrkdwn, inlineCode, md } from '../kit/escape.ts';
import { pausedByText } from '../status/pause-card.ts';
import { changeFaultText } from '../text/change-fault-text.ts';
import { listMrkdwn } from '../text/common-text.ts';
import { nearestText } from './nearest.ts';
import type { ProblemTable } from './problem-parts.ts';

export const SETTING_PROBLEMS = {
  paused: ({ pause }) => ({
    what: md`All changes are paused ${pausedByText(pause)}.`,
    changed: md`Nothing was requested or started.`,
    next: md`Try again when changes are resumed. You can still look at the fleet.`,
  }),
  'names-full': ({ shared, most, of }) => {
    const things = escapeMrkdwn(NAMED_LINE_NOUNS[of].many);
    return {
      what: shared
        ? md`There are already ${most} shared ${things}, the maximum.`
        : md`You already have ${most} ${things}, the maximum.`,
      next: md`Remove one, or reuse one of the names to replace it.`,
    };
  },
  'alias-is-device': ({ name }) => ({
    what: md`There’s a device named ${inlineCode(name)}.`,
    next: md`Choose another name.`,
  }),
  'no-such-name': (problem, root) => {
    const what = escapeMrkdwn(NAMED_LINE_NOUNS[problem.of].one);
    const whose = problem.shared ? md`There’s no shared` : md`You have no`;
    return {
      what: md`${whose} ${what} ${inlineCode(problem.name)}.`,
      next: md`${nearestText(problem)}${typedCommand(root, problem.of)} lists all of them.`,
    };
  },
} satisfies Partial<ProblemTable>;

/** The wording of edits that cannot be requested. */
export const EDIT_PROBLEMS = {
  'already-so': ({ name }) => ({
    what: md`${escapeMrkdwn(name)} already has these values.`,
    next: md`There’s nothing to request.`,
  }),
  'unsendable-change': ({ fault }) => ({
    what: md`This change can’t be sent: ${escapeMrkdwn(changeFaultText(fault), 200)}.`,
    next: md`Correct it, then try again.`,
  }),
  'unreadable-edit': ({ most }) => ({
    what: md`Too long for one approval card: new values can have up to ${most} characters.`,
    next: md`Split it into smaller requests, or use shorter values.`,
  }),
  'policy-not-shown': ({ policies }) => ({
    what: md`The management service doesn’t show what ${listMrkdwn(policies, 5)} would run, so nobody can approve it.`,
    next: md`Check the policy and the rights of the API key in the management service.`,
  }),
  'group-exists': ({ parent, name, id }, root) => ({
    what: md`${escapeMrkdwn(parent)} already has a subgroup ${escapeMrkdwn(name)} (#${id}).`,
    next: md`Use another name or parent, or edit that group: ${typedCommand(root, `group-edit #${id}`)}`,
  }),
  'policy-exists': ({ name, id }, root) => ({
    what: md`Policy #${id} is already named ${escapeMrkdwn(name)}.`,
    next: md`Use another name, or edit that policy: ${typedCommand(root, `policy-edit #${id}`)}`,
  }),
  'name-not-typed': ({ name }) => ({
    what: md`The name doesn’t match.`,
    changed: md`Nothing was requested.`,
    next: md`Type ${escapeMrkdwn(name)} to confirm.`,
  }),
  'default-group': () => ({
    what: md`The Default Group can’t be removed.`,
    next: md`The devices of removed groups go there.`,
  }),
} satisfies Partial<ProblemTable>;
