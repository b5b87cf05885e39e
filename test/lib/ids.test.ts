import { describe, expect, it } from 'vitest';
import { cardKey, channelId, isCardKey, readCardKey, requestCardKey, requestId } from '../../src/lib/ids.ts';

const TEAM = channelId('C0TEAM');

describe('the key of a card', () => {
  it.each([
    ['approval', 'a_1', null, 'approval:a_1'],
    ['operation', 'o_1', null, 'operation:o_1'],
    ['alert', 'patch-failed-2', null, 'notice:patch-failed-2'],
    ['alert', 'patch-failed-2', TEAM, 'notice:patch-failed-2@C0TEAM'],
    ['pause', 'p_1', null, 'pause:p_1'],
    ['silence', '3', TEAM, 'silence:3@C0TEAM'],
    ['told', 'approval:a_1', null, 'told:approval:a_1'],
    ['returned', 'a_1.3', channelId('U0PERSON'), 'returned:a_1.3@U0PERSON'],
  ] as const)(
    'of the kind %s for %s in %s is %s, as it always was, and reads back',
    (kind, id, channel, key) => {
      expect(cardKey(kind, id, channel)).toBe(key);
      expect(readCardKey(key)).toEqual({ kind, id, channel });
    },
  );

  it('of a request tells whether somebody had to agree, as it always did', () => {
    const id = requestId('r_1');
    expect(requestCardKey({ id, expiresAt: null })).toBe('operation:r_1');
    expect(requestCardKey({ id, expiresAt: 0 })).toBe('approval:r_1');
  });

  it.each(['', 'approval', 'approvals:a_1', 'alert:1', 'constructor:1', 7, null])('is not %j', (value) => {
    expect(isCardKey(value)).toBe(false);
  });
});
