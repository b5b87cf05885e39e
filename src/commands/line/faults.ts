/** Faults of usage, and which words a command has no use for. */
import { nearest } from '../../inventory/nearest.ts';
import type { HelpEntry, Problem, UsageFault, View } from '../../views/model.ts';
import { ROOT } from '../root.ts';
import type { Words } from './grammar.ts';

/** What a reader of typed words gives back where they do not fit. */
export function fault(what: UsageFault) {
  return { kind: 'fault', fault: what } as const;
}

/** A fault as a problem of this command. */
export function usageProblem(
  { name, usage }: Pick<HelpEntry, 'name' | 'usage'>,
  fault: UsageFault,
): Extract<Problem, { kind: 'usage' }> {
  return { kind: 'usage', command: name, usage, fault, root: ROOT };
}

/** A problem as something to show. */
export function problemView(problem: Problem): View {
  return { kind: 'problem', problem };
}

/** A word named back with the nearest of those that would do; nothing is offered where nothing is near. */
export function unknownWord(word: string, known: Iterable<string>): UsageFault {
  return { kind: 'unknown-word', word, nearest: nearest(word, known) };
}

/** What a command takes besides free words. */
export type Takes = {
  readonly filters?: boolean;
  /** An `or` between two filters. */
  readonly or?: boolean;
  readonly reason?: boolean;
};

/** The first word that the command has no use for, or null. */
export function extraWord(words: Words, takes: Takes): UsageFault | null {
  const [flag] = words.flags;
  if (flag !== undefined) return unknownWord(flag, takes.reason === true ? ['because'] : []);
  const [filter] = words.filters;
  if (filter !== undefined && takes.filters !== true) return unknownWord(filter.text, []);
  if (takes.or !== true && words.filters.some(({ or }) => or === true)) return unknownWord('or', []);
  if (words.reason !== null && takes.reason !== true) return unknownWord('because', []);
  if (words.reason === '') return { kind: 'missing', what: 'Enter a reason after “because”.' };
  return null;
}
