import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REPOSITORY, readOptions } from './options.ts';
import { MORE_SCREENS, SCREENS } from './screens.ts';

const FOLDER = join(tmpdir(), 'pictures');
const drawn = (...args: readonly string[]) => {
  const options = readOptions([FOLDER, ...args]);
  return options.kind === 'screens' ? options.screens.map(({ name }) => name) : [];
};

describe('the screens', () => {
  it('are thirty, and each has a file of its own', () => {
    expect(SCREENS).toHaveLength(30);
    const names = [...SCREENS, ...MORE_SCREENS].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z][a-z-]*$/);
  });

  it('are all drawn, with the command line’s texts, unless the options select fewer', () => {
    expect(drawn()).toEqual(SCREENS.map(({ name }) => name));
    expect(drawn('--all')).toHaveLength(SCREENS.length + MORE_SCREENS.length);
    expect(drawn('--only', 'home-viewer,form-patch')).toEqual(['form-patch', 'home-viewer']);
    expect(readOptions([FOLDER])).toMatchObject({ withTexts: true });
    expect(readOptions([FOLDER, '--only', 'home'])).toMatchObject({ withTexts: false });
    expect(readOptions([FOLDER, '--texts'])).toMatchObject({ screens: [], withTexts: true });
    expect(readOptions(['--readme'])).toEqual({ kind: 'readme' });
  });

  it.each([[REPOSITORY], [join(REPOSITORY, 'test', 'screens')]])(
    'never go into the repository: %s',
    (place) => {
      expect(() => readOptions([place])).toThrow(/is inside the repository/);
    },
  );

  it.each([
    [['--only', 'nothing-like-it'], /No screen is named nothing-like-it/],
    [['one', 'two'], /Unexpected argument two/],
    [['--colour'], /--colour/],
  ] as const)('%j is refused in words', (args, words) => {
    expect(() => readOptions(args)).toThrow(words);
  });
});
