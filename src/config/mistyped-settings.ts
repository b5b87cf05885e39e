/** Environment variables that were surely meant as settings and are none: nothing reads them, so they would pass in silence. */
import { closestWord } from '../lib/text.ts';

export type MistypedVariable = {
  readonly name: string;
  /** The setting that was probably meant; null where none is near. */
  readonly meant: string | null;
};

/** Whatever begins so is ours, or was meant to be. */
const PREFIXES = ['FLEET_', 'SLACK_', 'PATCHBAY_'];
/** Shorter names, such as HOST, are near to too much that belongs to other programs. */
const MIN_NAME_LENGTH = 6;
/** Families of names that differ by a letter from each other and belong to every program. */
const COMMON = /_PROXY$/;

/** Those of `names` that are not among `settings` and look like one. Only names are read, never values. */
export function findMistypedVariables(
  names: readonly string[],
  settings: readonly string[],
): readonly MistypedVariable[] {
  const long = settings.filter((setting) => setting.length >= MIN_NAME_LENGTH);
  return names
    .filter((name) => !settings.includes(name) && !COMMON.test(name.toUpperCase()))
    .map((name) => ({ name, meant: closestWord(name.toUpperCase(), long) }))
    .filter(({ name, meant }) => meant !== null || hasOurPrefix(name.toUpperCase()));
}

/** One plain line. */
export function mistypedVariableText({ name, meant }: MistypedVariable): string {
  return meant === null
    ? `${name} is not a setting and has no effect`
    : `${name} is not a setting; did you mean ${meant}?`;
}

function hasOurPrefix(name: string): boolean {
  return PREFIXES.some((prefix) => name.startsWith(prefix));
}
