/** The wording of edits that there is nothing to ask for. */

import { literal, md } from '../kit/escape.ts';
import { typed } from '../kit/typed.ts';
import type { EditProblem } from '../models/edit-model.ts';
import { NOTHING, type Wording } from './wording.ts';

export function editProblemWords(problem: EditProblem, root: string): Wording {
  switch (problem.kind) {
    case 'already-so':
      return {
        what: md`${literal(problem.name)} already has these values.`,
        changed: NOTHING,
        next: md`There’s nothing to request.`,
      };
    case 'unreadable-edit':
      return {
        what: md`Too long for one approval card: new values can have up to ${problem.most} characters.`,
        changed: NOTHING,
        next: md`Split it into smaller requests, or use shorter values.`,
      };
    case 'group-exists':
      return {
        what: md`${literal(problem.parent)} already has a subgroup ${literal(problem.name)} (#${problem.id}).`,
        changed: NOTHING,
        next: md`Use another name or parent, or edit that group: ${typed(root, `group-edit #${problem.id}`)}`,
      };
  }
}
