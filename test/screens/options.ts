/** The options of `npm run screens`. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Screen } from './screen.ts';
import { MORE_SCREENS, SCREENS } from './screens.ts';

export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

export const USAGE = `Usage: npm run screens -- [FOLDER] [--all] [--only NAMES] [--texts] [--readme]

  FOLDER        where the pictures go, outside the repository (default: a new folder for temporary files)
  --all         draw the less important screens, too
  --only NAMES  draw the screens whose names contain one of these, with commas between
  --texts       write only what the command line prints
  --readme      draw only the picture for the README, .github/screenshot.png`;

export type Options =
  | { readonly kind: 'readme' }
  | {
      readonly kind: 'screens';
      readonly folder: string;
      readonly screens: readonly Screen[];
      readonly withTexts: boolean;
    };

const flag = { type: 'boolean' } as const;

/** Throws with the error text. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { all: flag, only: { type: 'string' }, texts: flag, readme: flag },
  });
  const [given, ...others] = positionals;
  if (others.length > 0) throw new Error(`Unexpected argument ${others[0]}.`);
  if (values.readme) return { kind: 'readme' };
  const { only } = values;
  const screens = values.texts ? [] : chosen(only, values.all ?? false);
  if (screens.length === 0 && !values.texts) throw new Error(`No screen is named ${only}.`);
  const folder = given === undefined ? mkdtempSync(join(tmpdir(), 'patchbay-screens-')) : resolve(given);
  if (isInside(folder, REPOSITORY)) throw new Error(`${folder} is inside the repository.`);
  return { kind: 'screens', folder, screens, withTexts: values.texts ?? only === undefined };
}

/** Screens whose names contain one of these words; without words, those or all. */
function chosen(words: string | undefined, isAll: boolean): readonly Screen[] {
  const all = [...SCREENS, ...MORE_SCREENS];
  if (words === undefined) return isAll ? all : SCREENS;
  return all.filter(({ name }) => words.split(',').some((word) => name.includes(word)));
}

function isInside(folder: string, parent: string): boolean {
  const way = relative(parent, folder);
  return way === '' || !(way.startsWith('..') || resolve(way) === way);
}
