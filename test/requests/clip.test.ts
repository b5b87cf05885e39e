import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clip, errorFactsOf } from '../../src/requests/clip.ts';
import { anError } from './fleet-builders.ts';

describe('clipped text', () => {
  it('is cut to one line with a mark, and never inside a character', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.integer({ min: 1, max: 100 }),
        (text, length) => {
          const cut = clip(text, length);
          expect(Array.from(cut).length).toBeLessThanOrEqual(length);
          expect(cut).not.toMatch(/[\n\r\t]/);
          expect(cut.isWellFormed()).toBe(true);
          const whole = text.replaceAll(/\s+/g, ' ').trim();
          expect(cut === whole || cut.endsWith('…')).toBe(true);
        },
      ),
    );
  });
});

describe('the stored facts of a failed call', () => {
  it('is its kind and status, without an address', () => {
    expect(errorFactsOf(anError('forbidden', 403))).toEqual({
      kind: 'forbidden',
      status: 403,
      detail: '',
      held: null,
    });
  });

  it('is its detail, cut', () => {
    const { detail } = errorFactsOf({ ...anError('forbidden', 422), detail: `no\n${'x'.repeat(900)}` });
    expect(detail).toBe(`no ${'x'.repeat(196)}…`);
  });

  it('says that Patchbay held it back, which the service has no part in', () => {
    const held = {
      ...anError('timeout', null),
      kind: 'throttled',
      retryAfterMs: 5,
      held: { kind: 'limit' },
    } as const;
    expect(errorFactsOf(held)).toMatchObject({ kind: 'throttled', held: { kind: 'limit' } });
  });
});
