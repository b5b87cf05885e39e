/** A rule without a number, and how its cases are sent. */
import { type LimitCase, modal, open, postBlocks, validate } from './limit-cases.ts';
import type { SlackCall } from './limits-harness.ts';

export type RuleCase = Pick<LimitCase, 'row' | 'what' | 'source' | 'word' | 'at'> & {
  readonly taken: readonly SlackCall[];
  readonly refused: readonly SlackCall[];
};

/** Two blocks in a message; `at` is the pointer inside the refused one. */
export const inMessage = (
  row: RuleCase['row'],
  what: string,
  source: string,
  [taken, refused]: readonly [taken: unknown, refused: unknown],
  at: string,
): RuleCase => ({
  row,
  what,
  source,
  taken: postBlocks(taken),
  refused: postBlocks(refused),
  word: 'invalid_blocks',
  at: `/blocks/0${at}`,
});

/** The same for pictures that are files: blocks.validate knows no files, so it cannot miss one. */
export const ofFiles = (
  what: string,
  source: string,
  cases: readonly [unknown, unknown],
  at: string,
): RuleCase => ({
  ...inMessage('beyond the notes', what, source, cases, at),
  taken: validate(cases[0]),
});

/** The same in a modal. */
export const inModal = (
  what: string,
  source: string,
  cases: readonly [object, object],
  at: string,
): RuleCase => ({
  row: 'beyond the notes',
  what,
  source,
  taken: open(modal([cases[0]])),
  refused: open(modal([cases[1]])),
  word: 'invalid_arguments',
  at: `/view/blocks/0${at}`,
});
