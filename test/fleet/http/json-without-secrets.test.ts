import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWithoutSecrets } from '../../../src/fleet/http/call-outcome.ts';

describe('parsing an answer', () => {
  it.each([
    ['at the top', '{"id":1,"access_key":"s3cret"}', { id: 1 }],
    ['in a list', '[{"id":1,"access_key":"s3cret"}]', [{ id: 1 }]],
    ['deep inside', '{"a":{"b":[{"intercom_hmac":"s3cret","c":0}]}}', { a: { b: [{ c: 0 }] } }],
    ['under an escaped name', '{"access\\u005fkey":"s3cret","id":""}', { id: '' }],
    [
      'in an API key',
      '{"results":[{"id":5,"api_key":"s3cret"}],"size":1}',
      { results: [{ id: 5 }], size: 1 },
    ],
    ['as a whole object', '{"secret":{"value":"s3cret"},"n":null}', { n: null }],
  ])('leaves out a secret %s', (_, text, left) => {
    expect(parseWithoutSecrets(text)).toEqual(left);
    expect(JSON.stringify(parseWithoutSecrets(text))).not.toContain('s3cret');
  });

  it('keeps the configuration of a policy, which has to be sent back whole', () => {
    const policy = { id: 5, configuration: { secret: 's3cret', inner: { api_key: 'k' } } };
    expect(parseWithoutSecrets(JSON.stringify([{ ...policy, access_key: 's3cret' }]))).toEqual([policy]);
  });

  it('reads nesting that would overflow the stack', () => {
    const depth = 100_000;
    const text = `${'['.repeat(depth)}{"secret":1}${']'.repeat(depth)}`;
    expect(() => parseWithoutSecrets(text)).not.toThrow();
  });

  it('keeps values that only mention secrets', () => {
    const row = { name: 'libsecret-1', text: 'the access_key is gone', api_keys: 2 };
    expect(parseWithoutSecrets(JSON.stringify(row))).toEqual(row);
  });

  it('is JSON.parse for everything else (property)', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(JSON.stringify(parseWithoutSecrets(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it('refuses what is not JSON', () => {
    expect(() => parseWithoutSecrets('{"secret":')).toThrow();
  });
});
