/** Faults of usage, and which words a command has no use for. */
import { nearestNames } from '../../inventory/nearest-names.ts';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import type { HelpEntry, Problem, UsageFault, View } from '../../views/model.ts';
import type { LineWords } from './tokenizer.ts';

/** What a reader of typed words gives back where they do not fit. */
export function usageFault(what: UsageFault) {
  return { kind: 'fault', fault: what } as const;
}

/** A fault as a problem of this command. */
export function usageProblem(
  { name, usage }: Pick<HelpEntry, 'name' | 'usage'>,
  fault: UsageFault,
): Extract<Problem, { kind: 'usage' }> {
  return { kind: 'usage', command: name, usage, fault, root: ROOT_COMMAND };
}

/** A problem as something to show. */
export function problemView(problem: Problem): View {
  return { kind: 'problem', problem };
}

/** A word named back with the nearest of those that would do; nothing is offered where nothing is near. */
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

/** The first word that the command has no use for, or null. */
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
