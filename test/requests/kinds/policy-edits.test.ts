/** Policies made and edited, from request to proof. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { FleetEdit } from '../../../src/fleet/model/actions.ts';
import type { Policy } from '../../../src/fleet/model/policy.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
import { groupId, policyId } from '../../../src/lib/ids.ts';
import { aPolicy } from '../../harness/builders.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { createRequestsSetup } from '../requests-setup.ts';

const POLICY = policyId(12);
const create: FleetEdit = {
  kind: 'policy-create',
  policy: { name: 'Nightly', severities: [], days: 0, groupIds: [groupId(9)] },
};
const notes: FleetEdit = { kind: 'policy-edit', policyId: POLICY, change: { notes: 'new' } };
const rename: FleetEdit = { kind: 'policy-edit', policyId: POLICY, change: { name: 'Nightly' } };

const line = madePerTest(createRequestsSetup);
beforeEach(() => {
  line.fleet.world.policies = [aPolicy({ id: POLICY, digest: 'c0ffee' })];
});

const change = (over: Partial<Policy>) => {
  line.fleet.world.policies = line.fleet.world.policies.map((one) => ({ ...one, ...over }));
};

describe('a policy', () => {
  it.each([
    ['is made', create, 'createPolicy Nightly', { kind: 'policy-made', policy: 101 }],
    ['is changed', notes, 'updatePolicy 12', { kind: 'confirmed', fields: ['notes'] }],
  ] as const)('%s once, after an approval, and verified by reading it back', async (_, edit, call, proof) => {
    const request = await line.approved(edit);
    await line.pass(10 * MINUTE);
    expect(line.fleet.world.edits).toEqual([call]);
    expect(await line.targetFor(request)).toMatchObject({
      state: 'verified',
      endedAt: expect.anything(),
      evidence: expect.arrayContaining([proof]),
    });
  });

  it.each([
    ['that was done', 'lost-after', 'verified'],
    ['that never arrived', 'lost-before', 'unknown'],
  ] as const)('whose answer was lost, %s, is looked for and never sent again', async (_, fate, state) => {
    line.fleet.world.fate = fate;
    const made = await line.approved(create);
    const edited = await line.approved(notes);
    await line.pass(10 * MINUTE);
    for (const request of [made, edited])
      expect(await line.targetFor(request)).toMatchObject({ state, endedAt: expect.anything() });
    expect(line.fleet.world.edits).toEqual(['createPolicy Nightly', 'updatePolicy 12']);
    const { evidence } = await line.targetFor(made);
    if (state === 'unknown')
      expect(evidence).toEqual([{ kind: 'edit-unconfirmed', answerLost: true }, { kind: 'no-such-policy' }]);
  });

  it.each([
    [
      'whose notes changed',
      () => change({ notes: 'other', digest: 'c0ffee' }),
      { kind: 'changed', field: 'current.notes', was: '', now: 'other' },
    ],
    [
      'whose script changed',
      () => change({ digest: 'decade' }),
      { kind: 'changed', field: 'current.digest', name: 'Apply All Patches' },
    ],
    ['that was renamed', () => change({ name: 'Else' }), { field: 'displayName', now: 'Else' }],
  ])('%s goes back to the approver, and nothing is sent', async (_, between, drift) => {
    const before = await line.approved(notes, between);
    const after = await line.requestNow(before);
    expect(after).toMatchObject({ state: 'waiting', startedAt: null });
    expect(after.note).toMatchObject({ kind: 'drifted', subject: 'policy', changes: [drift] });
    expect(line.fleet.world.edits).toEqual([]);
  });

  it.each([
    ['to be made', create],
    ['to be renamed', rename],
  ])('%s with a name that was taken meanwhile ends instead', async (_, edit) => {
    const request = await line.approved(edit, () => {
      const taken = aPolicy({ id: policyId(77), name: 'Nightly' });
      line.fleet.world.policies = [...line.fleet.world.policies, taken];
    });
    expect(await line.targetFor(request)).toMatchObject({
      state: 'not_sent',
      evidence: [{ kind: 'name-taken', name: 'Nightly', policy: 77 }],
    });
    expect(line.fleet.world.edits).toEqual([]);
  });

  it('that is gone leaves nothing to request', async () => {
    const request = await line.approved(notes, () => {
      line.fleet.world.policies = [];
    });
    expect(await line.targetFor(request)).toMatchObject({
      state: 'not_sent',
      evidence: [{ kind: 'gone', thing: 'policy' }],
    });
  });

  it('is recorded with old and new values', async () => {
    await line.ask(notes);
    const [entry] = await line.store.audit.list(0, 10);
    expect(entry?.detail).toMatchObject({
      command: 'policy-edit',
      fields: 'notes',
      policy: 12,
      'notes.before': 'none',
      'notes.after': 'new',
    });
  });
});
