/** The wording of problems around settings and the pause. */

import { NAMED_LINE_NOUNS } from '../answers/named-line-list.ts';
import { typedCommand } from '../kit/command-buttons.ts';
import { escapeMrkdwn, inlineCode, md } from '../kit/escape.ts';
import type { EditProblem } from '../models/records-model.ts';
import type { SettingProblem } from '../models/settings-model.ts';
import { pausedByText } from '../status/pause-card.ts';
import { nearestText } from './nearest.ts';
import type { ProblemWords } from './problem-parts.ts';

export function settingProblemText(problem: SettingProblem, root: string): ProblemWords {
  switch (problem.kind) {
    case 'paused':
      return {
        what: md`All changes are paused ${pausedByText(problem.pause)}.`,
        changed: md`Nothing was requested or started.`,
        next: md`Try again when changes are resumed. You can still look at the fleet.`,
      };
    case 'names-full':
      return {
        what: problem.shared
          ? md`There are already ${problem.most} shared ${escapeMrkdwn(NAMED_LINE_NOUNS[problem.of].many)}, the maximum.`
          : md`You already have ${problem.most} ${escapeMrkdwn(NAMED_LINE_NOUNS[problem.of].many)}, the maximum.`,
        next: md`Remove one, or reuse one of the names to replace it.`,
      };
    case 'no-such-name': {
      const what = escapeMrkdwn(NAMED_LINE_NOUNS[problem.of].one);
      return {
        what: problem.shared
          ? md`There’s no shared ${what} ${inlineCode(problem.name)}.`
          : md`You have no ${what} ${inlineCode(problem.name)}.`,
        next: md`${nearestText(problem)}${typedCommand(root, problem.of === 'alias' ? 'alias' : 'saved')} lists all of them.`,
      };
    }
  }
}

/** The wording of edits that cannot be requested. */

export function editProblemText(problem: EditProblem, root: string): ProblemWords {
  switch (problem.kind) {
    case 'already-so':
      return {
        what: md`${escapeMrkdwn(problem.name)} already has these values.`,
        next: md`There’s nothing to request.`,
      };
    case 'unreadable-edit':
      return {
        what: md`Too long for one approval card: new values can have up to ${problem.most} characters.`,
        next: md`Split it into smaller requests, or use shorter values.`,
      };
    case 'group-exists':
      return {
        what: md`${escapeMrkdwn(problem.parent)} already has a subgroup ${escapeMrkdwn(problem.name)} (#${problem.id}).`,
        next: md`Use another name or parent, or edit that group: ${typedCommand(root, `group-edit #${problem.id}`)}`,
      };
    case 'policy-exists':
      return {
        what: md`Policy #${problem.id} is already named ${escapeMrkdwn(problem.name)}.`,
        next: md`Use another name, or edit that policy: ${typedCommand(root, `policy-edit #${problem.id}`)}`,
      };
    case 'name-not-typed':
      return {
        what: md`The name doesn’t match.`,
        changed: md`Nothing was requested.`,
        next: md`Type ${escapeMrkdwn(problem.name)} to confirm.`,
      };
    case 'default-group':
      return {
        what: md`The Default Group can’t be removed.`,
        next: md`The devices of removed groups go there.`,
      };
  }
}
