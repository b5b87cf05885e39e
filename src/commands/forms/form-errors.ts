/** Which errors of a submitted form can be fixed in it, and at which field. Pure. */
import type { FormError } from '../../views/forms/form-error-text.ts';
import type { FieldValues } from '../../views/models/form-model.ts';
import type { Problem, View } from '../../views/views.ts';
import { OPTION_KEYS } from '../parser/rollout-options.ts';
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
  if (error.kind === 'unsendable-change') return error.fault.kind === 'tag-both-ways' ? ['remove'] : [];
  if (error.kind !== 'usage') return FIELDS_BY_ERROR[error.kind] ?? [];
  const { fault } = error;
  return fault.kind === 'bad-value' || fault.kind === 'unknown-word' ? typed(fault.word) : [];
}

const FIELDS_BY_ERROR: Partial<Readonly<Record<FormError['kind'], readonly string[]>>> = {
  'nothing-fits': ['words'],
  'no-devices-match': ['filters', 'devices'],
  'rollout-too-large': ['filters', 'devices'],
  'daily-limit': ['filters', 'devices'],
  'none-to-change': ['filters', 'devices'],
  'reason-required': ['reason'],
  'missing-nowhere': ['packages'],
  'group-exists': ['name'],
  'policy-exists': ['name'],
  'name-not-typed': ['confirm'],
  'default-group': ['group'],
  'no-such-device': ['device'],
  'several-devices': ['device'],
  'not-all-devices': ['filters', 'device'],
  'device-gone': ['device'],
  'nothing-to-install': ['device'],
  'already-queued': ['device'],
  'no-such-group': ['parent', 'group', 'groups'],
  'no-such-policy': ['policy', 'policies'],
  'policy-not-for': ['policy', 'policies'],
  'policy-without-devices': ['policy', 'policies'],
  'no-such-package': ['packages'],
  'several-packages': ['packages'],
  'already-installed': ['packages'],
  'unsendable-package': ['packages'],
  'no-such-severity': ['packages'],
  'no-member': ['channel', 'where'],
  'channel-unread': ['channel', 'where'],
  'names-full': ['name'],
  'alias-is-device': ['name'],
  'no-such-name': ['name'],
};

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
