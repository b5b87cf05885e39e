/**
 * Environment variables that were surely meant as settings: nothing reads them, so they would have no effect and
 * nobody would notice.
 */
import { closestWord } from '../lib/text.ts';

export type MistypedVariable = {
  readonly name: string;
  /** The setting that was probably meant; null when none is close. */
  readonly meant: string | null;
};

/** Names with these prefixes are ours, or were meant to be. */
const OUR_PREFIX = /^(FLEET|SLACK|PATCHBAY)_/;
/** Shorter names, such as HOST, are close to too many names of other programs. */
const MIN_NAME_LENGTH = 6;
/** Names that differ by one letter and are used by every program. */
const COMMON = /_PROXY$/;

/** The names that are not among `settings` and look like one. Only names are read, never values. */
export function findMistypedVariables(
  names: readonly string[],
  settings: readonly string[],
): readonly MistypedVariable[] {
  const long = settings.filter((setting) => setting.length >= MIN_NAME_LENGTH);
  return names
    .filter((name) => !settings.includes(name) && !COMMON.test(name.toUpperCase()))
    .map((name) => ({ name, meant: closestWord(name.toUpperCase(), long) }))
    .filter(({ name, meant }) => meant !== null || OUR_PREFIX.test(name.toUpperCase()));
}

/** One plain line. */
export function mistypedVariableText({ name, meant }: MistypedVariable): string {
  return meant === null
    ? `${name} is not a setting and has no effect`
    : `${name} is not a setting; did you mean ${meant}?`;
}

/**
 * What stands in the way of a start: one line for each of `faults` (missing or wrong settings) and each mistyped variable,
 * then where settings come from. With a line break at its end.
 */
export function settingsFaultText(faults: readonly string[], mistyped: readonly MistypedVariable[]): string {
  return [...faults, ...mistyped.map(mistypedVariableText), WHERE_TO_SET, ''].join('\n');
}
const WHERE_TO_SET = 'Settings are environment variables. src/config/README.md explains each one.';
