/** Which errors of a submitted form can be fixed in it, and at which field. Pure. */

import type { FormError } from '../../../views/forms/form-error-text.ts';
import type { Problem, View } from '../../../views/model.ts';
import type { FieldValues } from '../../../views/models/form-model.ts';
import { OPTION_KEYS } from '../../parser/rollout-options.ts';
import { OPTIONS_FIELD } from './rollout-options-field.ts';

/** Null where the answer is one, or where sending the form once more would be wrong or of no use. */
export function formErrorOf(view: View): FormError | null {
  switch (view.kind) {
    case 'problem':
      if (!isFixableInForm(view.problem)) return null;
      return view.root === undefined ? view.problem : { ...view.problem, root: view.root };
    case 'devices':
      return view.paging.total === 0 ? { kind: 'nothing-fits', question: view.title } : null;
    case 'shareable':
      return formErrorOf(view.view);
    default:
      return null;
  }
}

/** Whether something may have been done or stored, so that submitting again would be wrong. */
function isFixableInForm(problem: Problem): boolean {
  switch (problem.kind) {
    case 'card-delayed':
    case 'unknown-command':
    // Their answers have buttons.
    case 'too-many-waiting':
    case 'request-differs':
      return false;
    case 'fleet':
    case 'unexpected':
      return problem.changed !== 'unknown';
    default:
      return true;
  }
}

/** The field of the form that the problem is about; null if there is none, or more than one. */
export function fieldOfError(error: FormError, values: FieldValues): string | null {
  const named = fieldCandidates(error).flatMap((name) =>
    [...values.keys()].filter((id) => id.split(':', 1)[0] === name),
  );
  const [first] = named;
  const query = 'query' in error ? error.query.replace(/^#/, '') : null;
  return named.find((id) => query !== null && values.get(id)?.includes(query)) ?? first ?? null;
}

/** Ids of the fields that may be meant, the most likely first. */
function fieldCandidates(error: FormError): readonly string[] {
  switch (error.kind) {
    case 'nothing-fits':
      return ['words'];
    case 'no-devices-match':
    case 'rollout-too-large':
    case 'daily-limit':
    case 'none-to-change':
      return ['filters', 'devices'];
    case 'reason-required':
      return ['reason'];
    case 'missing-nowhere':
      return ['packages'];
    case 'group-exists':
    case 'policy-exists':
      return ['name'];
    case 'name-not-typed':
      return ['confirm'];
    case 'default-group':
      return ['group'];
    case 'no-such-device':
    case 'several-devices':
    case 'device-gone':
    case 'nothing-to-install':
    case 'already-queued':
      return ['device'];
    case 'no-such-group':
      return ['parent', 'group', 'groups'];
    case 'no-such-policy':
    case 'policy-not-for':
    case 'policy-without-devices':
      return ['policy', 'policies'];
    case 'no-such-package':
    case 'several-packages':
    case 'already-installed':
    case 'unsendable-package':
    case 'no-such-severity':
      return ['packages'];
    case 'no-member':
    case 'channel-unread':
      return ['channel', 'where'];
    case 'names-full':
    case 'alias-is-device':
    case 'no-such-name':
      return ['name'];
    case 'usage':
      return error.fault.kind === 'bad-value' || error.fault.kind === 'unknown-word'
        ? typed(error.fault.word)
        : [];
    case 'unsendable-change':
      return error.fault.kind === 'tag-both-ways' ? ['remove'] : [];
    default:
      return [];
  }
}

const FIELD_BY_KEY: ReadonlyMap<string, string> = new Map([
  ['ip', 'addresses'],
  ['tag', 'tags'],
  ...OPTION_KEYS.map((key) => [key, OPTIONS_FIELD] as const),
]);

/** The field of a typed filter, such as `every:2h`. */
function typed(word: string): readonly string[] {
  const [key = '', ...value] = word.replace(/^-/, '').split(':');
  return value.length === 0 ? [] : [FIELD_BY_KEY.get(key) ?? key];
}
