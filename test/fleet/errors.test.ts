import { describe, expect, it } from 'vitest';
import { instant } from '../../src/clock.ts';
import { causeOf, errorDetail, retryAfterMs } from '../../src/fleet/errors.ts';
import { recorded } from './fixtures.ts';

const KEY = 'k3y-0f-the-bot/+';

describe('the detail of an error', () => {
  it.each([
    ['texts', { errors: ['Not found'] }, 'Not found'],
    ['several texts', { errors: ['One', 'Two'] }, 'One; Two'],
    [
      'texts by field',
      { errors: { name: ['is required.'], limit: ['too high.'] } },
      'is required.; too high.',
    ],
    ['objects', { errors: [{ field: 'name', message: 'is required' }] }, 'name: is required'],
    [
      'problem details',
      { type: 'about:blank', title: 'Forbidden', status: 403, detail: 'No right' },
      'No right',
    ],
    ['problem details without a detail', { title: 'Forbidden', status: 403 }, 'Forbidden'],
    ['invalid fields beside a detail', { detail: 'Bad window', invalidFields: { rrule: 'x' } }, 'Bad window'],
    ['a message', { message: 'Too Many Requests!' }, 'Too Many Requests!'],
    [
      'the default of a framework',
      { timestamp: 1, status: 500, error: 'Internal Server Error', path: '/x' },
      'Internal Server Error',
    ],
    ['a text alone', 'plain', 'plain'],
    ['nothing known', { other: 1 }, ''],
    ['no errors', { errors: [], message: 'but this' }, 'but this'],
    ['odd members', { errors: [null, 5, ['nested'], { message: 'left' }] }, 'nested; left'],
  ])('is found in %s', (_, body, detail) => {
    expect(errorDetail(JSON.stringify(body), [KEY])).toBe(detail);
  });

  it.each([
    ['text', 'upstream gone', 'upstream gone'],
    ['half a JSON', '{"errors":["Not', '{"errors":["Not'],
    ['a page', '<html><head><title>502 Bad Gateway</title></head></html>', 'a web page: 502 Bad Gateway'],
    ['a page without a title', '<!doctype html><p>no', 'a web page'],
    ['nothing', ' \n', ''],
  ])('is found in %s', (_, body, detail) => {
    expect(errorDetail(body, [KEY])).toBe(detail);
  });

  it('is found in every recorded body', () => {
    const bodies = recorded('errors-2026.json');
    const details = Array.isArray(bodies)
      ? bodies.map(({ body }) => errorDetail(JSON.stringify(body), [KEY]))
      : [];
    expect(details).toEqual([
      'You do not have permission to perform this action. Please contact your system administrator for support.',
      'Insufficient permissions for this operation',
      'The server_groups field is required.',
      'Not found',
    ]);
  });

  it.each([
    `key ${KEY} is expired`,
    `seen ${encodeURIComponent(KEY)} in the address`,
    `Authorization: Bearer ${KEY}`,
    `${'x'.repeat(290)}${KEY}`,
  ])('never holds the key: %s', (text) => {
    for (const body of [text, JSON.stringify({ errors: [text] }), `<title>${text}</title>`]) {
      const detail = errorDetail(body, [KEY]);
      expect(detail).not.toContain(KEY);
      expect(detail).not.toContain(encodeURIComponent(KEY));
    }
  });

  it('does not let control characters hide the key', () => {
    expect(errorDetail(`k3y\u200b-0f${KEY}`, [KEY])).not.toContain(KEY);
    expect(errorDetail(`"${KEY}"`, [KEY])).toBe('[secret]');
  });

  it.each([
    ['token=abc123 refused', 'token=[secret] refused'],
    ['access_key: abc123', 'access_key: [secret]'],
    ['Bearer abc123, no', 'Bearer [secret], no'],
    ['password "abc123"', 'password "abc123"'],
  ])('blanks what is announced as a secret: %s', (text, detail) => {
    expect(errorDetail(text, [])).toBe(detail);
  });

  it('is one line, and short with a mark', () => {
    const detail = errorDetail(`a\n\n\u0000b\u202e ${'👩'.repeat(500)}`, []);
    expect(detail.startsWith('a b 👩')).toBe(true);
    expect(Array.from(detail)).toHaveLength(300);
    expect(detail.endsWith('👩…')).toBe(true);
  });
});

describe('a status', () => {
  it.each([
    [200, null],
    [201, null],
    [204, null],
    [301, 'unreadable'],
    [304, 'unreadable'],
    [400, 'invalid'],
    [401, 'unauthorized'],
    [402, 'forbidden'],
    [403, 'forbidden'],
    [404, 'missing'],
    [405, 'invalid'],
    [408, 'timeout'],
    [409, 'invalid'],
    [410, 'missing'],
    [413, 'invalid'],
    [422, 'invalid'],
    [429, 'throttled'],
    [500, 'broken'],
    [502, 'broken'],
    [503, 'broken'],
    [599, 'broken'],
  ])('%i is %s', (status, kind) => {
    expect(causeOf(status, null)?.kind ?? null).toBe(kind);
  });

  it('429 waits as long as asked, else a minute', () => {
    expect(causeOf(429, 1500)).toEqual({ kind: 'throttled', retryAfterMs: 1500 });
    expect(causeOf(429, null)).toEqual({ kind: 'throttled', retryAfterMs: 60_000 });
    expect(causeOf(429, 0)).toEqual({ kind: 'throttled', retryAfterMs: 0 });
  });
});

describe('Retry-After', () => {
  const now = instant(Date.UTC(2026, 0, 1, 12, 0, 0));
  it.each([
    ['7', 7_000],
    ['0', 0],
    ['99999', 300_000],
    ['Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
    ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
    ['Thu, 01 Jan 2027 12:00:00 GMT', 300_000],
    ['-5', null],
    ['soon', null],
    ['', null],
    [null, null],
  ])('"%s" is %s ms', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});
