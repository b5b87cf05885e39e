import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRateLimit } from '../../../src/fleet/limits/token-bucket.ts';
import { instant } from '../../../src/lib/clock.ts';

const AT = instant(Date.UTC(2026, 0, 1, 12));
const RESET = String(AT / 1_000 + 2);

function quota(
  limit: string | null,
  remaining: string | null,
  reset: string | null,
  at: typeof AT | null = AT,
) {
  const headers: Readonly<Record<string, string | null>> = {
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': reset,
  };
  return readRateLimit((name) => headers[name] ?? null, at);
}

describe('the headers of the rate limit', () => {
  it('are read by the service’s own time', () => {
    expect(quota('100', '96', RESET)).toEqual({ limit: 100, remaining: 96, resetMs: 2_000 });
    expect(quota('100', '0', String(AT / 1_000 - 5))).toEqual({ limit: 100, remaining: 0, resetMs: 0 });
  });

  it.each([
    ['none', null, null, null],
    ['no reset', '100', '0', null],
    ['no limit', null, '0', RESET],
    ['a limit of nothing', '0', '0', RESET],
    ['more left than there is', '10', '11', RESET],
    ['a reset far away', '100', '0', String(AT / 1_000 + 61)],
    ['a reset in milliseconds', '100', '0', String(AT + 2_000)],
    ['less than nothing', '-1', '0', RESET],
    ['words', 'many', 'few', 'soon'],
    ['fractions', '1e2', '0', RESET],
    ['hexadecimal', '0x64', '0', RESET],
    ['a list', '100, 100', '0', RESET],
  ])('are ignored when they are invalid: %s', (_, limit, remaining, reset) => {
    expect(quota(limit, remaining, reset)).toBeNull();
  });

  it('are ignored without the time of the answer', () => {
    expect(quota('100', '0', RESET, null)).toBeNull();
  });

  it('never cause a wait of more than a minute, whatever they say (property)', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (limit, remaining, reset) => {
        const found = quota(limit, remaining, reset);
        expect(found === null || (found.resetMs <= 60_000 && found.limit > 0)).toBe(true);
      }),
    );
  });
});
