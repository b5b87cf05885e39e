/** The wording of problems around settings and the pause. */
import { code, literal, md } from '../kit/escape.ts';
import { typed } from '../kit/typed.ts';
import type { SettingProblem } from '../models/settings-model.ts';
import { NAMED_WORDS } from '../names.ts';
import { pausedBy } from '../pause.ts';
import { count, listed } from '../words.ts';
import { NOTHING, type Wording } from './wording.ts';

export function settingProblemWords(problem: SettingProblem, root: string): Wording {
  switch (problem.kind) {
    case 'paused':
      return {
        what: md`All changes are paused: ${pausedBy(problem.pause)}.`,
        changed: md`Nothing was asked or started.`,
        next: md`Ask again when the pause is over. Looking at devices works as always.`,
      };
    case 'names-full':
      return {
        what: md`There are ${count(problem.most, 'name')} already, and no room for one more${problem.shared ? md` that everybody uses` : md``}.`,
        changed: NOTHING,
        next: md`Remove ${literal(NAMED_WORDS[problem.of].many)} that nobody needs, or give this one the name of another to take its place.`,
      };
    case 'no-such-name': {
      const near = problem.nearest.length === 0 ? md`` : md`Nearest: ${listed(problem.nearest)}.\n`;
      const whose = problem.shared ? md` for everybody` : md` of yours`;
      return {
        what: md`There is no ${literal(NAMED_WORDS[problem.of].one)} ${code(problem.name)}${whose}.`,
        changed: NOTHING,
        next: md`${near}${typed(root, problem.of === 'alias' ? 'alias' : 'saved')} shows all of them.`,
      };
    }
  }
}
