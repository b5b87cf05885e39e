import { describe, expect, it } from 'vitest';
import { EVENT_NAMES } from '../../src/fleet/event-names.ts';
import { HAPPENING_KINDS, HAPPENINGS, happeningOf } from '../../src/fleet/happenings.ts';

describe('what the event log tells', () => {
  it.each(EVENT_NAMES)('%s has a kind', (name) => {
    expect(happeningOf({ name, exitCode: null })).not.toBeNull();
  });

  it('every kind is told by some event', () => {
    const told = EVENT_NAMES.flatMap((name) => [0, 1].map((exitCode) => happeningOf({ name, exitCode })));
    expect([...new Set(told)].sort()).toEqual([...HAPPENING_KINDS].sort());
  });

  it('no two kinds have a name in common', () => {
    const names = HAPPENING_KINDS.flatMap((kind) => {
      const { one, many, also } = HAPPENINGS[kind];
      return [one, many, ...also].map((name) => name.toLowerCase());
    });
    expect(new Set(names).size).toBe(names.length);
  });
});
