/** The wording of problems around settings and the pause. */
import { code, literal, md } from '../kit/escape.ts';
import { typed } from '../kit/typed.ts';
import type { SettingProblem } from '../models/settings-model.ts';
import { NAMED_WORDS } from '../names.ts';
import { pausedBy } from '../pause.ts';
import { nearest } from './nearest.ts';
import { NOTHING, type Wording } from './wording.ts';

export function settingProblemWords(problem: SettingProblem, root: string): Wording {
  switch (problem.kind) {
    case 'paused':
      return {
        what: md`All changes are paused ${pausedBy(problem.pause)}.`,
        changed: md`Nothing was requested or started.`,
        next: md`Try again when changes are resumed. You can still look at the fleet.`,
      };
    case 'names-full':
      return {
        what: problem.shared
          ? md`There are already ${problem.most} shared ${literal(NAMED_WORDS[problem.of].many)}, the maximum.`
          : md`You already have ${problem.most} ${literal(NAMED_WORDS[problem.of].many)}, the maximum.`,
        changed: NOTHING,
        next: md`Remove one, or reuse one of the names to replace it.`,
      };
    case 'no-such-name': {
      const what = literal(NAMED_WORDS[problem.of].one);
      return {
        what: problem.shared
          ? md`There’s no shared ${what} ${code(problem.name)}.`
          : md`You have no ${what} ${code(problem.name)}.`,
        changed: NOTHING,
        next: md`${nearest(problem)}${typed(root, problem.of === 'alias' ? 'alias' : 'saved')} lists all of them.`,
      };
    }
  }
}
