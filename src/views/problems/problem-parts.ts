/** The three parts of every problem: what happened, whether anything changed, and what to do next. */
import { joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import type { Problem } from '../models/problem-model.ts';

/** `changed` is empty where nothing could have changed. */
export type ProblemParts = { readonly what: Mrkdwn; readonly changed: Mrkdwn; readonly next: Mrkdwn };

/** The same; `changed` is absent where nothing could have changed. */
export type ProblemWords = Pick<ProblemParts, 'what' | 'next'> & Partial<Pick<ProblemParts, 'changed'>>;

export type ProblemOf<K extends Problem['kind']> = Extract<Problem, { readonly kind: K }>;

/** The words of each kind of problem. `root`: the slash command that starts the commands they name. */
export type ProblemTable = {
  readonly [K in Problem['kind']]: (problem: ProblemOf<K>, root: string) => ProblemWords;
};

/** Keys that at least two of these tables have. */
export type SharedKeys<Tables extends readonly object[]> = Tables extends readonly [
  infer First extends object,
  ...infer Rest extends readonly object[],
]
  ? (keyof First & KeysOf<Rest[number]>) | SharedKeys<Rest>
  : never;
type KeysOf<Table> = Table extends object ? keyof Table : never;

/** Nothing could have changed, so nothing is said about it. */
export const NO_TEXT = md``;

/** The parts that are not empty. */
export function sentences(parts: readonly Mrkdwn[], separator = ' '): Mrkdwn {
  return joinMrkdwn(
    parts.filter((part) => part !== ''),
    separator,
  );
}
