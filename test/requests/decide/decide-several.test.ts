/** Which requests a window of several shows, and which of them it may decide. */
import { describe, expect, it } from 'vitest';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { personId, requestId } from '../../../src/lib/ids.ts';
import { severalPage } from '../../../src/requests/decide/decision-windows.ts';
import { START } from '../../harness/builders.ts';
import { aRequest } from '../../harness/records.ts';

const ME = personId('UAPPROVER');
const pageOf = (count: number, page: number) => {
  const waiting = Array.from({ length: count }, (_, at) => aRequest({ id: requestId(`r_${at}`) }));
  return severalPage(waiting, { person: ME, page, now: START });
};
const idsOf = ({ rows }: ReturnType<typeof pageOf>) => rows.map(({ request: { id } }) => id);

describe('a page of a window of several', () => {
  it('leaves out what expired already, and ends after a quarter of an hour', () => {
    const expired = aRequest({ expiresAt: START });
    const shown = severalPage([expired, aRequest()], { person: ME, page: 0, now: START });
    expect(shown).toMatchObject({ rows: [{}], page: 0, more: false, endsAt: later(START, 15 * MINUTE) });
  });

  it.each([
    [20, 0, 20, 0, false],
    [21, 0, 20, 0, true],
    [45, 1, 20, 1, true],
    [45, 2, 5, 2, false],
    // Others were decided since the button was shown.
    [20, 2, 20, 0, false],
    [0, 1, 0, 0, false],
  ])('of %i has page %i with %i rows', (count, wanted, rows, page, more) => {
    const shown = pageOf(count, wanted);
    expect(idsOf(shown)).toEqual(Array.from({ length: rows }, (_, at) => `r_${page * 20 + at}`));
    expect(shown).toMatchObject({ page, more });
  });
});
