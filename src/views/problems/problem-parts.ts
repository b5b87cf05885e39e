/** The three parts of every problem; close matches of a name, and faults of a typed line, in words. */
import { byKind } from '../../lib/record-fields.ts';
import { escapeMrkdwn, inlineCode, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import type { Offer, Problem, UsageFault } from '../models/problem-model.ts';
import { listMrkdwn, typedText } from '../text/common-text.ts';

/** `changed` is empty where nothing could have changed. */
export type ProblemParts = { readonly what: Mrkdwn; readonly changed: Mrkdwn; readonly next: Mrkdwn };

/** The same; `changed` is absent where nothing could have changed. */
export type ProblemWords = Pick<ProblemParts, 'what' | 'next'> & Partial<Pick<ProblemParts, 'changed'>>;

export type ProblemOf<K extends Problem['kind']> = Extract<Problem, { readonly kind: K }>;

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
export const usageFaultMessage = byKind<UsageFault, Mrkdwn, [offers?: readonly Offer[]]>({
  missing: ({ what }) => escapeMrkdwn(what, DISPLAY_LIMIT.sentence),
  'one-device': ({ filters }) => md`This command takes one device. ${inlineCode(filters)} can match several.`,
  'option-in-reason': ({ option }) =>
    md`Is ${inlineCode(option)} an option or part of the reason? Put an option before “because”, or the reason in quotes.`,
  'unknown-word': (fault, offers = []) =>
    fault.nearest.length === 0 || offers.length > 0
      ? unknown(fault)
      : md`${unknown(fault)} ${offeredText(fault.nearest)}`,
  'bad-value': ({ word, expected }) => md`${inlineCode(word)} isn’t valid. Expected ${typedText(expected)}.`,
  'open-quote': ({ near }) => md`Missing closing quote near ${inlineCode(near)}.`,
  'too-long': ({ length, limit }) => md`Too long: ${length} characters, the maximum is ${limit}.`,
});

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
