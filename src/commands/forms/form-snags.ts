/** Which answers to a submitted form can be mended in it, and at which of its fields. Pure. */

import type { Snag } from '../../views/forms/form-words.ts';
import type { Problem, View } from '../../views/model.ts';
import type { FieldValues } from '../../views/models/form-model.ts';

/** Null where the answer is one, or where sending the form once more would be wrong or of no use. */
export function snagOf(view: View): Snag | null {
  switch (view.kind) {
    case 'problem':
      if (!isMendable(view.problem)) return null;
      return view.root === undefined ? view.problem : { ...view.problem, root: view.root };
    case 'devices':
      return view.paging.total === 0 ? { kind: 'nothing-fits', question: view.title } : null;
    case 'shareable':
      return snagOf(view.view);
    default:
      return null;
  }
}

/** What may have been done, or is kept, is not asked for once more. */
function isMendable(problem: Problem): boolean {
  switch (problem.kind) {
    case 'card-delayed':
    case 'unknown-command':
      return false;
    case 'fleet':
    case 'unexpected':
      return problem.changed === 'nothing';
    default:
      return true;
  }
}

/** The field that it is about, among those of the form; null: none of them, or not one alone. */
export function fieldOf(snag: Snag, values: FieldValues): string | null {
  const named = namesOf(snag).flatMap((name) =>
    [...values.keys()].filter((id) => id.split(':', 1)[0] === name),
  );
  const [first] = named;
  const query = 'query' in snag ? snag.query.replace(/^#/, '') : null;
  return named.find((id) => query !== null && values.get(id)?.includes(query)) ?? first ?? null;
}

/** What the fields that may be meant are called in our forms, the likeliest first. */
function namesOf(snag: Snag): readonly string[] {
  switch (snag.kind) {
    case 'nothing-fits':
      return ['words'];
    case 'group-exists':
      return ['name'];
    case 'no-such-device':
    case 'several-devices':
    case 'device-gone':
    case 'nothing-to-install':
    case 'already-queued':
      return ['device'];
    case 'no-such-group':
      return ['parent', 'group'];
    case 'no-such-policy':
    case 'policy-not-for':
      return ['policy', 'policies'];
    case 'no-such-package':
    case 'already-installed':
    case 'unsendable-package':
    case 'no-such-severity':
      return ['packages'];
    case 'no-member':
    case 'channel-unread':
      return ['channel', 'where'];
    case 'names-full':
    case 'no-such-name':
      return ['name'];
    case 'usage':
      return snag.fault.kind === 'bad-value' || snag.fault.kind === 'unknown-word'
        ? typed(snag.fault.word)
        : [];
    default:
      return [];
  }
}

const TYPED: Readonly<Record<string, string>> = { ip: 'addresses', tag: 'tags' };

/** The field of a filter as it is typed, such as `every:2h`. */
function typed(word: string): readonly string[] {
  const [key = '', ...value] = word.replace(/^-/, '').split(':');
  return value.length === 0 ? [] : [TYPED[key] ?? key];
}
