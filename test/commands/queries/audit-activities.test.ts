import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupActivities } from '../../../src/commands/audit.ts';
import { later, SECOND } from '../../../src/lib/clock.ts';
import { personId } from '../../../src/lib/ids.ts';
import type { AuditRecord } from '../../../src/store/port/records.ts';
import { START } from '../../harness/builders.ts';

const ANN = personId('U0ANN');
type Step = Partial<AuditRecord> & { readonly s?: number };

/** In order; `s`: seconds from the start. Passed to the function newest first, as the store does. */
function acts(...steps: readonly Step[]) {
  const entries = steps.map(({ s = 0, ...given }, at): AuditRecord => {
    const usual = { actor: 'patchbay', action: 'operation.queued', subject: 'a_1', detail: {} } as const;
    return { ...usual, at: later(START, s * SECOND), sequence: at, hash: '', ...given };
  });
  return groupActivities(entries.toReversed());
}
const sequences = (...steps: readonly Step[]) =>
  acts(...steps).map(({ entries }) => entries.map(({ sequence }) => sequence));

const requestEntry: Step = {
  actor: ANN,
  action: 'approval.requested',
  subject: 'a_1',
  detail: { command: 'scan' },
};
const approved: Step = { actor: ANN, action: 'approval.approved', subject: 'a_1' };
const issuing: Step = { action: 'operation.issuing', detail: { device: 1 } };
const accepted: Step = { action: 'operation.accepted', detail: { device: 1 } };

describe('an activity', () => {
  it('is what Patchbay did for one request within seconds, with the request', () => {
    const [sent, ...before] = acts(requestEntry, approved, issuing, { ...accepted, s: 1 });
    expect(sent).toMatchObject({ order: { command: 'scan' } });
    expect(sent?.entries.map(({ action }) => action)).toEqual(['operation.issuing', 'operation.accepted']);
    expect(before.map(({ entries }) => entries.length)).toEqual([1, 1]);
  });

  it.each<readonly [string, readonly Step[], readonly (readonly number[])[]]>([
    ['what a person did', [approved, approved], [[1], [0]]],
    ['a person between', [accepted, { actor: ANN }, accepted], [[2], [1], [0]]],
    ['another request', [accepted, { subject: 'a_2' }], [[1], [0]]],
    ['another device', [accepted, { detail: { device: 2 } }], [[1], [0]]],
    ['a pause of more than seconds', [accepted, { s: 11 }], [[1], [0]]],
    [
      'more than half a minute in all',
      [accepted, { s: 10 }, { s: 20 }, { s: 30 }, { s: 31 }],
      [[4], [0, 1, 2, 3]],
    ],
    [
      'what is about no request',
      [{ action: 'alerts.sound-again' }, { action: 'alerts.sound-again' }],
      [[1], [0]],
    ],
  ])('ends at %s', (_what, steps, expected) => {
    expect(sequences(...steps)).toEqual(expected);
  });

  it('continues where another request came in between', () => {
    expect(sequences(accepted, { subject: 'a_2' }, {})).toEqual([[1], [0, 2]]);
  });

  it('continues for each of several devices, and includes nothing about other devices', () => {
    const other = { detail: { device: 2 } };
    expect(sequences(issuing, other, accepted, other)).toEqual([
      [1, 3],
      [0, 2],
    ]);
  });
});

it('contains every entry exactly once', () => {
  const step = fc.record({
    actor: fc.constantFrom('patchbay' as const, ANN),
    action: fc.constantFrom('operation.queued', 'approval.sent-back', 'alerts.silenced'),
    subject: fc.constantFrom('a_1', 'a_2'),
    s: fc.integer({ min: 0, max: 60 }),
    detail: fc.constantFrom({}, { device: 1 }, { device: 2 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const all = sequences(...steps).flat();
      expect(all.toSorted((a, b) => a - b)).toEqual(steps.map((_, at) => at));
    }),
  );
});
