import { describe, expect, it } from 'vitest';
import { errorDetail, failureCause, requestIdIn, retryAfterMs } from '../../../src/fleet/http/errors.ts';
import { instant } from '../../../src/lib/clock.ts';
import { recorded } from '../fixtures.ts';

const KEY = 'k3y-0f-the-bot/+';

/** Spellings in which a reader could recover the secret from the detail. */
function spellings(detail: string): readonly string[] {
  const words = detail.split(/[^\w+/=-]+/);
  const decoded = words.flatMap((word) =>
    [Buffer.from(word, 'base64'), Buffer.from(word, 'hex')].map(String),
  );
  return [detail, ...decoded].map((text) => text.toLowerCase());
}

describe('the detail of an error', () => {
  it.each([
    ['texts', { errors: ['Not found'] }, 'Not found'],
    ['a text by field', { errors: { name: 'is required.' } }, 'name: is required.'],
    ['objects by field', { errors: { name: [{ message: 'is odd' }, { code: 5 }] } }, 'name: is odd'],
    ['several texts', { errors: ['One', 'Two'] }, 'One; Two'],
    [
      'texts by field',
      { errors: { name: ['is required.'], limit: ['too high.'] } },
      'name: is required.; limit: too high.',
    ],
    ['objects', { errors: [{ field: 'name', message: 'is required' }] }, 'name: is required'],
    [
      'problem details',
      { type: 'about:blank', title: 'Forbidden', status: 403, detail: 'No right' },
      'No right',
    ],
    ['problem details without a detail', { title: 'Forbidden', status: 403 }, 'Forbidden'],
    [
      'invalid fields beside a detail',
      { detail: 'Bad window', invalidFields: { rrule: 'is empty', start: ['is past', 'is odd'] } },
      'Bad window; rrule: is empty; start: is past; start: is odd',
    ],
    ['invalid fields alone', { status: 400, invalidFields: { rrule: null, end: 'is past' } }, 'end: is past'],
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
    `twice in an address ${encodeURIComponent(encodeURIComponent(KEY))}`,
    `in capitals ${KEY.toUpperCase()}`,
    `in hexadecimal ${Buffer.from(KEY).toString('hex')}`,
    `in base64 ${Buffer.from(KEY).toString('base64')}`,
    `in base64 of a header ${Buffer.from(`Bearer ${KEY}`).toString('base64')}`,
    `in base64 beside a name ${Buffer.from(`u:${KEY}`).toString('base64')}`,
    `in base64 for addresses ${Buffer.from(KEY).toString('base64url')}`,
    `in JSON inside JSON ${JSON.stringify(JSON.stringify({ key: KEY })).replaceAll('/', '\\/')}`,
  ])('never holds the key: %s', (text) => {
    for (const body of [text, JSON.stringify({ errors: [text] }), `<title>${text}</title>`]) {
      const detail = errorDetail(body, [KEY]);
      for (const spelling of spellings(detail))
        expect(spelling).not.toContain(KEY.toLowerCase().slice(3, 12));
    }
  });

  it('does not let control characters hide the key', () => {
    expect(errorDetail(`k3y\u200b-0f${KEY}`, [KEY])).not.toContain(KEY);
    expect(errorDetail(`"${KEY}"`, [KEY])).toBe('[secret]');
  });

  it.each([
    ['got &#107;3y-0f-the-bot&#x2F;&#43;', 'got [secret]'],
    ['no &#x110000; character', 'no &#x110000; character'],
  ])('decodes numeric character references before it looks for a secret: %s', (text, detail) => {
    expect(errorDetail(text, [KEY])).toBe(detail);
  });

  it.each([
    ['token=abc123 refused', 'token=[secret] refused'],
    ['access_key: abc123', 'access_key: [secret]'],
    ['Bearer abc123, no', 'Bearer [secret], no'],
    ['password "abc123"', 'password "abc123"'],
  ])('blanks values announced as secrets: %s', (text, detail) => {
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
    expect(failureCause(status, null)?.kind ?? null).toBe(kind);
  });

  it('429 waits as long as the service asks, or else a minute', () => {
    expect(failureCause(429, 1500)).toEqual({ kind: 'throttled', retryAfterMs: 1500 });
    expect(failureCause(429, null)).toEqual({ kind: 'throttled', retryAfterMs: 60_000 });
    expect(failureCause(429, 0)).toEqual({ kind: 'throttled', retryAfterMs: 0 });
  });
});

describe('the id of a request', () => {
  it.each([
    ['7f0c9a1e-2b3d-4c5e-8f90-1a2b3c4d5e6f', true],
    ['req:1/2+3=', true],
    ['', false],
    ['two words', false],
    ['<!channel>', false],
    ['x'.repeat(101), false],
    [KEY, false],
    [Buffer.from(KEY).toString('hex'), false],
    [null, false],
  ])('%s is quoted: %s', (header, quoted) => {
    expect(requestIdIn(header, [KEY])).toBe(quoted ? header : null);
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
