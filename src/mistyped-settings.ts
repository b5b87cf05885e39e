/** Environment variables that were surely meant as settings and are none: nothing reads them, so they would pass in silence. */
import { nearWord } from './near-word.ts';

export type MistypedSetting = {
  readonly name: string;
  /** The setting that was probably meant; null where none is near. */
  readonly meant: string | null;
};

/** Whatever begins so is ours, or was meant to be. */
const PREFIXES = ['FLEET_', 'SLACK_', 'PATCHBAY_'];
/** Shorter names, such as HOST, are near to too much that belongs to other programs. */
const SHORTEST_NAME = 6;
/** Families of names that differ by a letter from each other and belong to every program. */
const COMMON = /_PROXY$/;

/** Those of `names` that are not among `settings` and look like one. Only names are read, never values. */
export function mistypedSettings(
  names: readonly string[],
  settings: readonly string[],
): readonly MistypedSetting[] {
  const long = settings.filter((setting) => setting.length >= SHORTEST_NAME);
  return names
    .filter((name) => !settings.includes(name) && !COMMON.test(name.toUpperCase()))
    .map((name) => ({ name, meant: nearWord(name.toUpperCase(), long) }))
    .filter(({ name, meant }) => meant !== null || isOurs(name.toUpperCase()));
}

/** One plain line. */
export function mistypedText({ name, meant }: MistypedSetting): string {
  return meant === null
    ? `${name} is not a setting and has no effect`
    : `${name} is not a setting; did you mean ${meant}?`;
}

function isOurs(name: string): boolean {
  return PREFIXES.some((prefix) => name.startsWith(prefix));
}
