/** The three parts of every problem; close matches of a name, and faults of a typed line, in words. */
import { escapeMrkdwn, inlineCode, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import type { Offer, Problem, UsageFault } from '../models/problem-model.ts';
import { listMrkdwn, typedText } from '../text/common-text.ts';

/** `changed` is empty where nothing could have changed. */
export type ProblemParts = { readonly what: Mrkdwn; readonly changed: Mrkdwn; readonly next: Mrkdwn };

/** The same; `changed` is absent where nothing could have changed. */
export type ProblemWords = Pick<ProblemParts, 'what' | 'next'> & Partial<Pick<ProblemParts, 'changed'>>;

export type ProblemOf<K extends Problem['kind']> = Extract<Problem, { readonly kind: K }>;

/** The words of each kind of problem. `root`: the slash command that starts the commands they name. */
export type ProblemTable = {
  readonly [K in Problem['kind']]: (problem: ProblemOf<K>, root: string) => ProblemWords;
};

/** Nothing could have changed, so nothing is said about it. */
export const NO_TEXT = md``;

/** More suggestions are no help in choosing. */
export const MAX_OFFERS = 5;

/** The parts that are not empty. */
export function sentences(parts: readonly Mrkdwn[], separator = ' '): Mrkdwn {
  return joinMrkdwn(
    parts.filter((part) => part !== ''),
    separator,
  );
}

/** Ends with a line break. Empty without a close match, and where buttons offer the names. */
export function nearestText({
  nearest: names,
  offers = [],
}: {
  readonly nearest: readonly string[];
  readonly offers?: readonly Offer[];
}): Mrkdwn {
  if (names.length === 0 || offers.length > 0) return md``;
  return md`Closest ${names.length === 1 ? md`match` : md`matches`}: ${listMrkdwn(names)}.\n`;
}

/** Where no word is close, all are listed up to this number. */
const MAX_OFFERED = 20;

/** Names close matches in the sentence, unless buttons offer them. */
export function usageFaultMessage(fault: UsageFault, offers: readonly Offer[] = []): Mrkdwn {
  switch (fault.kind) {
    case 'missing':
      return escapeMrkdwn(fault.what, DISPLAY_LIMIT.sentence);
    case 'one-device':
      return md`This command takes one device. ${inlineCode(fault.filters)} can match several.`;
    case 'option-in-reason':
      return md`Is ${inlineCode(fault.option)} an option or part of the reason? Put an option before “because”, or the reason in quotes.`;
    case 'unknown-word':
      return fault.nearest.length === 0 || offers.length > 0
        ? unknown(fault)
        : md`${unknown(fault)} ${offeredText(fault.nearest)}`;
    case 'bad-value':
      return md`${inlineCode(fault.word)} isn’t valid. Expected ${typedText(fault.expected)}.`;
    case 'open-quote':
      return md`Missing closing quote near ${inlineCode(fault.near)}.`;
    case 'too-long':
      return md`Too long: ${fault.length} characters, the maximum is ${fault.limit}.`;
  }
}

/** A word with a colon was meant as a filter, unless it is known to be something else. */
function unknown({ word, of, nearest }: Extract<UsageFault, { kind: 'unknown-word' }>): Mrkdwn {
  if (of === undefined && nearest.length === 0) return md`${inlineCode(word)} doesn’t apply here.`;
  return md`Unknown ${trustedMrkdwn(of ?? (word.includes(':') ? 'filter' : 'word'))} ${inlineCode(word)}.`;
}

/** One close match as a question; several, or all words there are, as a list. */
function offeredText(words: readonly string[]): Mrkdwn {
  const [only = ''] = words;
  if (words.length < 2) return md`Did you mean ${inlineCode(only)}?`;
  const listed = words.slice(0, MAX_OFFERED).map((word) => inlineCode(word));
  return md`Try one of these: ${joinMrkdwn(listed, ', ')}.`;
}
