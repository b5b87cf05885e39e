import { describe, expect, it } from 'vitest';
import { parseTortureOptions } from './options.ts';
import { NO_PROGRESS, progressFile, readProgress } from './progress.ts';

describe('the options of the torture', () => {
  it('have their defaults when nothing is given', () => {
    expect(parseTortureOptions([])).toMatchObject({
      minutes: 2,
      seed: '1',
      database: 'sqlite',
      replicas: 1,
      again: false,
    });
  });

  it('are read', () => {
    const args = '--minutes 20 --seed night --database postgres --replicas 3 --again --keep-going --plays 9';
    expect(parseTortureOptions(args.split(' '))).toMatchObject({
      minutes: 20,
      seed: 'night',
      database: 'postgres',
      replicas: 3,
      again: true,
      'keep-going': true,
      plays: 9,
    });
  });

  it.each([
    ['--replicas 2', /several replicas need --database postgres/],
    ['--minutes soon', /--minutes/],
    ['--database mysql', /--database/],
    ['--sed 1', /--sed/],
  ])('are refused: %s', (args, words) => {
    expect(() => parseTortureOptions(args.split(' '))).toThrow(words);
  });
});

describe('the progress of a seed', () => {
  it('has a file for each seed and setting', () => {
    const file = (args: string) => progressFile(parseTortureOptions(args.split(' ')));
    const files = ['--seed 1', '--seed 2', '--seed 1 --minutes 4', '--seed 1 --database postgres'].map(file);
    expect(new Set(files).size).toBe(4);
    expect(file('--seed ../1')).not.toContain('..');
  });

  it('begins with nothing', () => {
    expect(readProgress(`${progressFile(parseTortureOptions(['--seed', 'never']))}.none`)).toEqual(
      NO_PROGRESS,
    );
  });
});
