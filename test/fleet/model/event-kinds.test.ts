import { describe, expect, it } from 'vitest';
import {
  EVENT_KIND_NAMES,
  EVENT_KINDS,
  eventKindOf,
  LOG_EVENT_NAMES,
} from '../../../src/fleet/model/event-kinds.ts';

describe('the kinds of events', () => {
  it.each(LOG_EVENT_NAMES)('%s has a kind', (name) => {
    expect(eventKindOf({ name, exitCode: null })).not.toBeNull();
  });

  it('every kind has an event', () => {
    const told = LOG_EVENT_NAMES.flatMap((name) => [0, 1].map((exitCode) => eventKindOf({ name, exitCode })));
    expect([...new Set(told)].sort()).toEqual([...EVENT_KIND_NAMES].sort());
  });

  it('no two kinds have a name in common', () => {
    const names = EVENT_KIND_NAMES.flatMap((kind) => {
      const { one, many, also } = EVENT_KINDS[kind];
      return [one, many, ...also].map((name) => name.toLowerCase());
    });
    expect(new Set(names).size).toBe(names.length);
  });
});
