import { describe, expect, it } from 'vitest';
import { formErrorText } from '../../../src/views/forms/form-error-text.ts';

describe('errors on a form', () => {
  it('names in words what is near, because a form has no buttons for it', () => {
    const choice = { command: 'policy-test', input: {} };
    const offers = [
      { kind: 'named', what: 'policy', name: 'Disable SMBv1', id: 12, detail: null, choice },
    ] as const;
    const { next } = formErrorText({
      kind: 'no-such-policy',
      query: 'Disable SMB',
      nearest: ['Disable SMBv1'],
      offers,
    });
    expect(next).toContain('Closest match: Disable SMBv1.');
  });
});
