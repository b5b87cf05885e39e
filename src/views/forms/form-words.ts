/** The wording of what stands in the way of a form. */
import type { Reference } from '../../ids.ts';
import { ROOT } from '../../root-command.ts';
import { code, md } from '../kit/escape.ts';
import { SHOWN } from '../kit/limits.ts';
import type { Problem } from '../model.ts';
import { problemWords } from '../problems/problem-words.ts';
import { NOTHING, type Wording } from '../problems/wording.ts';

/** A problem, or that nothing fits what was looked for. */
export type Snag =
  | (Problem & { readonly root?: string })
  | { readonly kind: 'nothing-fits'; readonly question: string };

export function snagWords(snag: Snag): Wording {
  if (snag.kind !== 'nothing-fits') return problemWords(inWords(snag), snag.root ?? ROOT);
  return {
    what: md`No devices match ${code(snag.question, SHOWN.sentence)}.`,
    changed: NOTHING,
    next: md`Use fewer words or filters, or try other ones.`,
  };
}

/** A note on a form has no buttons, so what may have been meant is said. */
function inWords(problem: Problem): Problem {
  if (!('offers' in problem)) return problem;
  const { offers: _, ...said } = problem;
  return said;
}

/** On a field, as plain text: the log says more under the reference. */
export function formFailed(reference: Reference): string {
  return `Unexpected error (reference ${reference}). Nothing was changed.`;
}

/** Above the fields of the form that looks for a device. */
export const NONE_IN_MESSAGE = 'This message names no device of the fleet. Search for the one you mean.';
