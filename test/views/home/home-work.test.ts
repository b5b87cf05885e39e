import { describe, expect, it } from 'vitest';
import { DAY, HOUR, later, MINUTE } from '../../../src/lib/clock.ts';
import { approvalId, deviceId, operationId } from '../../../src/lib/ids.ts';
import { checkView } from '../../../src/sandbox/slack/validate/view-rules.ts';
import { homeView } from '../../../src/views/home/home-model.ts';
import { relativeDate } from '../../../src/views/kit/timestamps.ts';
import { START } from '../../harness/builders.ts';
import { anAlert, anApproval, aRecentOperation, aTarget } from '../../harness/records.ts';
import { homeDataOf, OTHER_PERSON, PLAIN, renderedHome, wordsOf } from './home-facts.ts';

describe('the lists of the Home', () => {
  it('what runs comes before what ended, and what ended long ago is left out', () => {
    const of = (id: string, ended: boolean, age: number) =>
      aRecentOperation({
        id: operationId(id),
        createdAt: later(START, -age),
        targets: [aTarget({ endedAt: ended ? START : null })],
      });
    const operations = [of('o_new', true, HOUR), of('o_runs', false, 2 * DAY), of('o_old', true, 2 * DAY)];
    const view = homeView(homeDataOf(PLAIN, { operations }));
    if (view.kind !== 'home') throw new Error('no home');
    expect(view.operations?.rows.map(({ id }) => id)).toEqual(['o_runs', 'o_new']);
  });

  it('a request that was carried out is listed as a command, not twice', () => {
    const requests = [
      anApproval({ id: approvalId('a_done'), state: 'approved', operationId: operationId('o_1') }),
      anApproval({ id: approvalId('a_denied'), state: 'denied' }),
      anApproval({ id: approvalId('a_waits') }),
      anApproval({ id: approvalId('a_old'), state: 'denied', createdAt: later(START, -2 * DAY) }),
    ];
    const view = homeView(homeDataOf(PLAIN, { requests }));
    if (view.kind !== 'home') throw new Error('no home');
    expect(view.requests?.rows.map(({ id }) => id)).toEqual(['a_waits', 'a_denied']);
  });

  it('the request that expires first comes first', () => {
    const waiting = [20, 5, 10].map((minutes) =>
      anApproval({
        id: approvalId(`a_${minutes}`),
        requesterId: OTHER_PERSON,
        expiresAt: later(START, minutes * MINUTE),
      }),
    );
    const view = homeView(homeDataOf(PLAIN, { waiting }));
    if (view.kind !== 'home') throw new Error('no home');
    expect(view.waiting?.rows.map(({ id }) => id)).toEqual(['a_5', 'a_10', 'a_20']);
  });

  it('a command that waited for approval shows when it was requested', () => {
    const operations = [
      aRecentOperation({ createdAt: later(START, 10 * MINUTE), requestedAt: START, targets: [aTarget()] }),
    ];
    expect(wordsOf({ operations })).toContain(`Requested ${relativeDate(START)} ·`);
  });

  it('of ten thousand each, five are shown and the rest is counted', () => {
    const filling = { ...PLAIN, count: 10_000 };
    const home = renderedHome({}, filling);
    expect(checkView(home, 'home')).toEqual([]);
    expect(home.blocks.length).toBeLessThanOrEqual(100);
    expect(wordsOf({}, filling).match(/At least 9995 more/g)).toHaveLength(4);
  });

  it('of as many as are read, there may be more', () => {
    expect(wordsOf({}, { ...PLAIN, count: 99 })).toContain('94 more in <#C0PATCHALERTS>');
    expect(wordsOf({}, { ...PLAIN, count: 100 })).toContain('(at least 100)');
  });
});

it('a device without a name is shown by its number', () => {
  const failures = [anAlert({ deviceName: '', deviceId: deviceId(7), reason: '' })];
  const words = wordsOf({ failures });
  expect(words).toContain('*#7*');
  expect(words).toContain('*#7*: OpenSSL\n<!date');
});
