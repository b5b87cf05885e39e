/** Usage faults, and words that a command does not take. */
import { nearestNames } from '../../inventory/nearest-names.ts';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import type { HelpEntry, Problem, UsageFault, View } from '../../views/model.ts';
import type { LineWords } from './tokenizer.ts';

/** The result of a parser for words that do not fit. */
export function usageFault(what: UsageFault) {
  return { kind: 'fault', fault: what } as const;
}

/** The fault as a problem of this command. */
export function usageProblem(
  { name, usage }: Pick<HelpEntry, 'name' | 'usage'>,
  fault: UsageFault,
): Extract<Problem, { kind: 'usage' }> {
  return { kind: 'usage', command: name, usage, fault, root: ROOT_COMMAND };
}

/** The problem as a view. */
export function problemView(problem: Problem): View {
  return { kind: 'problem', problem };
}

/** The fault of an unknown word with the closest valid ones, if any. */
export function unknownWordFault(word: string, known: Iterable<string>): UsageFault {
  return { kind: 'unknown-word', word, nearest: nearestNames(word, known) };
}

/** What a command takes besides free words. */
export type AcceptedParts = {
  readonly filters?: boolean;
  /** An `or` between two filters. */
  readonly or?: boolean;
  readonly reason?: boolean;
};

/** The fault of the first word that the command does not take, or null. */
export function unexpectedWord(words: LineWords, accepted: AcceptedParts): UsageFault | null {
  const [flag] = words.flags;
  if (flag !== undefined) return unknownWordFault(flag, accepted.reason === true ? ['because'] : []);
  const [filter] = words.filters;
  if (filter !== undefined && accepted.filters !== true) return unknownWordFault(filter.text, []);
  if (accepted.or !== true && words.filters.some(({ or }) => or === true)) return unknownWordFault('or', []);
  if (words.reason !== null && accepted.reason !== true) return unknownWordFault('because', []);
  if (words.reason === '') return { kind: 'missing', what: 'Enter a reason after “because”.' };
  return null;
}
