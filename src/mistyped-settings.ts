/** Environment variables that were surely meant as settings and are none: nothing reads them, so they would pass in silence. */
import { distance } from 'fastest-levenshtein';

export type MistypedSetting = {
  readonly name: string;
  /** The setting that was probably meant; null where none is near. */
  readonly meant: string | null;
};

/** Whatever begins so is ours, or was meant to be. */
const PREFIXES = ['FLEET_', 'SLACK_', 'PATCHBAY_'];
/** Two letters that changed places, or a separator and one letter more. */
const MOST_SLIPS = 2;
/** Shorter names, such as HOST, are near to too much that belongs to other programs. */
const SHORTEST_NAME = 6;
/** Families of names that differ by a letter from each other and belong to every program. */
const COMMON = /_PROXY$/;

/** Those of `names` that are not among `settings` and look like one. Only names are read, never values. */
export function mistypedSettings(
  names: readonly string[],
  settings: readonly string[],
): readonly MistypedSetting[] {
  return names
    .filter((name) => !settings.includes(name) && !COMMON.test(name.toUpperCase()))
    .map((name) => ({ name, meant: nearest(name.toUpperCase(), settings) }))
    .filter(({ name, meant }) => meant !== null || isOurs(name.toUpperCase()));
}

/** One plain line. */
export function mistypedText({ name, meant }: MistypedSetting): string {
  return meant === null
    ? `${name} is not a setting and has no effect`
    : `${name} is not a setting; did you mean ${meant}?`;
}

function nearest(name: string, settings: readonly string[]): string | null {
  const near = settings
    .filter((setting) => setting.length >= SHORTEST_NAME)
    .map((setting) => ({ setting, slips: distance(name, setting) }))
    .filter(({ slips }) => slips <= MOST_SLIPS);
  return near.toSorted((a, b) => a.slips - b.slips)[0]?.setting ?? null;
}

function isOurs(name: string): boolean {
  return PREFIXES.some((prefix) => name.startsWith(prefix));
}
