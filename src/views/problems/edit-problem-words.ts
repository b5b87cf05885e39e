/** The wording of edits that there is nothing to ask for. */

import { literal, md } from '../kit/escape.ts';
import { typed } from '../kit/typed.ts';
import type { EditProblem } from '../models/edit-model.ts';
import { NOTHING, type Wording } from './wording.ts';

export function editProblemWords(problem: EditProblem, root: string): Wording {
  switch (problem.kind) {
    case 'already-so':
      return {
        what: md`${literal(problem.name)} is so already: every field that you named has that value.`,
        changed: NOTHING,
        next: md`Nothing needs to be asked for.`,
      };
    case 'unreadable-edit':
      return {
        what: md`This is more than an approver could read on one card: ${problem.most} characters of new values.`,
        changed: NOTHING,
        next: md`Ask for it in several smaller steps, or with shorter values.`,
      };
    case 'group-exists':
      return {
        what: md`There is already a group called ${literal(problem.name)} below ${literal(problem.parent)}: #${problem.id}.`,
        changed: NOTHING,
        next: md`Give the new one another name or parent, or change that one with ${typed(root, `group-edit #${problem.id}`)}.`,
      };
  }
}
