import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant } from '../../src/lib/clock.ts';
import { groupId, policyId } from '../../src/lib/ids.ts';
import { refusedText } from '../../src/operations/claim/target.ts';
import {
  actionPhrase,
  clip,
  errorText,
  listText,
  timePlaceholder,
} from '../../src/operations/evidence-text.ts';
import { anError } from './simulated-fleet.ts';

describe('words of evidence', () => {
  it.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b'], 'a and b'],
    [['a', 'b', 'c', 'd', 'e'], 'a, b, c, d and e'],
    [['a', 'b', 'c', 'd', 'e', 'f', 'g'], 'a, b, c, d, e and 2 more'],
  ])('lists %j', (names, expected) => {
    expect(listText(names)).toBe(expected);
  });

  it('holds a time as a token that views draw', () => {
    expect(timePlaceholder(instant(1_795_227_302_000))).toBe('@{1795227302000}');
  });

  it('says what went wrong without addresses', () => {
    expect(errorText(anError('forbidden', 403))).toBe(
      'the management service does not allow this, or the target no longer exists (HTTP 403)',
    );
    expect(errorText(anError('timeout', null))).toBe('the management service did not answer in time');
  });

  it('does not blame the service for what was held back here', () => {
    const held = {
      ...anError('timeout', null),
      detail: 'it keeps to the rate limit of the service',
      held: true,
    } as const;
    expect(errorText({ ...held, kind: 'throttled', retryAfterMs: 5 })).toBe(
      'Patchbay held this back: it keeps to the rate limit of the service',
    );
    expect(refusedText({ ...held, kind: 'throttled', retryAfterMs: 5 })).toBe(
      'The command could not be sent. Nothing was changed. Patchbay held this back: it keeps to the rate limit of the service. Try again later.',
    );
  });

  it('names the packages of an installation', () => {
    expect(actionPhrase({ kind: 'patch', packages: ['a', 'b'] })).toBe('installation of a and b');
  });

  it('names a policy by its name as its card does, else by its number', () => {
    const id = policyId(12);
    const named = { policyId: id, policyName: 'Harden SSH' };
    expect(actionPhrase({ kind: 'policy-test', ...named })).toBe('test of Harden SSH (policy 12)');
    expect(actionPhrase({ kind: 'policy-remediate', ...named })).toBe(
      'remediation of Harden SSH (policy 12)',
    );
    expect(actionPhrase({ kind: 'policy-test', policyId: id })).toBe('test of policy 12');
    expect(actionPhrase({ kind: 'policy-remediate', policyId: id })).toBe('remediation of policy 12');
  });

  it('names a group by its name where that is known, and by its number', () => {
    const edit = { kind: 'group-edit', groupId: groupId(9), change: { notes: 'x' } } as const;
    expect(actionPhrase(edit, 'Servers')).toBe('edit of the group Servers (#9)');
    expect(actionPhrase(edit)).toBe('edit of the group #9');
    expect(actionPhrase(edit, '')).toBe('edit of the group #9');
  });

  it('cuts anything to one line with a mark, and never splits a character', () => {
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
