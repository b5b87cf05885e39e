/** What is installed on many devices, in the first words of a card. */
import { describe, expect, it } from 'vitest';
import { actionTitle, requestFor } from '../../../src/views/text/common-text.ts';

const install = (severities: readonly string[], named: readonly string[]) =>
  ({ kind: 'patch-each', chosen: { severities, named } }) as const;

describe('the title of an installation on many devices', () => {
  it.each([
    [install(['critical'], []), 'Install missing critical patches on 24 devices'],
    [install([], ['openssl']), 'Install openssl on 24 devices'],
    [
      install(['critical', 'high'], ['openssl']),
      'Install missing critical and high patches and openssl on 24 devices',
    ],
    [install([], ['a', 'b', 'c', 'd']), 'Install a, b, c and 1 more package on 24 devices'],
    [install([], ['a', 'b', 'c', 'd', 'e']), 'Install a, b, c and 2 more packages on 24 devices'],
    [{ kind: 'patch-each', chosen: null } as const, 'Install all missing patches on 24 devices'],
  ])('%j', (action, title) => {
    expect(actionTitle(action, 24)).toBe(title);
  });

  it('is escaped, and names what was requested in other sentences as well', () => {
    expect(requestFor(install([], ['openssl']), 24)).toBe('Installation of openssl on 24 devices');
    expect(requestFor(install([], ['<!here>']), 24)).toContain('&lt;!here&gt;');
  });
});
