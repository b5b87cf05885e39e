/** The three parts of every problem: what happened, whether anything changed, and what to do next. */
import { joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';

/** `changed` is empty where nothing could have changed. */
export type ProblemParts = { readonly what: Mrkdwn; readonly changed: Mrkdwn; readonly next: Mrkdwn };

/** The same; `changed` is absent where nothing could have changed. */
export type ProblemWords = Pick<ProblemParts, 'what' | 'next'> & Partial<Pick<ProblemParts, 'changed'>>;

/** Nothing could have changed, so nothing is said about it. */
export const NO_TEXT = md``;
/** Something could have changed, and nothing did. */
export const UNCHANGED = md`Nothing was changed.`;

/** The parts that are not empty. */
export function sentences(parts: readonly Mrkdwn[], separator = ' '): Mrkdwn {
  return joinMrkdwn(
    parts.filter((part) => part !== ''),
    separator,
  );
}
