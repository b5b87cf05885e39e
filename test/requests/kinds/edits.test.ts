/** Edits from request to result: approved, claimed, sent once, and searched for if the answer is lost. */

import { beforeEach, describe, expect, it } from 'vitest';
import type { FleetEdit } from '../../../src/fleet/model/actions.ts';
import type { Policy } from '../../../src/fleet/model/resources.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
import { groupId, policyId } from '../../../src/lib/ids.ts';
import { aGroup, aPolicy } from '../../harness/builders.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { anError } from '../fleet-builders.ts';
import { createRequestsSetup } from '../requests-setup.ts';

const tag: FleetEdit = { kind: 'device-edit', change: { retag: { add: ['dmz'], remove: [] } } };
const name: FleetEdit = { kind: 'device-edit', change: { customName: 'Front door' } };
const create: FleetEdit = {
  kind: 'group-create',
  group: { name: 'Web', parentId: groupId(9), refreshIntervalMinutes: 1440 },
};
const notes: FleetEdit = { kind: 'group-edit', groupId: groupId(9), change: { notes: 'new' } };

const line = madePerTest(createRequestsSetup);

const renamed = () => {
  line.world.groups = line.world.groups.map((one) => (one.id === 9 ? { ...one, name: 'Machines' } : one));
};

describe('an edit', () => {
  it.each([
    ['of a device', tag, 'updateDevice 42'],
    ['that makes a group', create, 'createGroup Web'],
    ['of a group', notes, 'updateGroup 9'],
  ] as const)(
    '%s is sent once when it is approved, and verified by what reads back',
    async (_what, edit, call) => {
      const request = await line.approved(edit);
      await line.pass(10 * MINUTE);
      expect(line.world.edits).toEqual([call]);
      expect(await line.targetFor(request)).toMatchObject({ state: 'verified', endedAt: expect.anything() });
      expect(await line.actions()).toContain('operation.verified');
    },
  );

  it('of a custom name alone needs no approval', async () => {
    const id = await line.start(name);
    await line.settle();
    expect(await line.targetOf(id)).toMatchObject({ state: 'verified' });
    expect(line.world.device?.customName).toBe('Front door');
  });

  it('is recorded with its changes and its target', async () => {
    await line.ask(notes);
    const [entry] = await line.store.audit.list(0, 10);
    expect(entry?.detail).toMatchObject({ command: 'group-edit', fields: 'notes', group: 9, devices: '' });
  });

  it('is recorded with old and new values, when it is requested and when it ended', async () => {
    const edit: FleetEdit = { kind: 'device-edit', change: { tags: ['dmz'], addresses: ['10.9.8.7'] } };
    await line.approved(edit);
    await line.pass(10 * MINUTE);
    const entries = await line.store.audit.list(0, 20);
    const changes = { 'tags.before': expect.any(String), 'tags.after': 'dmz' };
    for (const action of ['approval.requested', 'operation.verified'])
      expect(entries.find((entry) => entry.action === action)?.detail).toMatchObject(changes);
    expect(JSON.stringify(entries)).not.toContain('10.9.8.7');
  });

  it.each([
    ['operation.not_sent', 20 * MINUTE],
    ['operation.refused', 0],
  ])('whose end is %s changed nothing, so that line states no change', async (action, heldUpMs) => {
    const line = await createRequestsSetup({
      onFailpoint: async (step) => {
        if (step === 'target.claimed') await line.clock.advance(heldUpMs);
      },
    });
    line.world.fate = 'refuse';
    await line.approved(notes);
    const entries = await line.store.audit.list(0, 20);
    const ended = entries.filter((entry) => entry.action === action);
    expect(ended).toHaveLength(1);
    expect(JSON.stringify(ended)).not.toContain('notes.after');
  });

  it('that needs no approval is recorded with its changes, too', async () => {
    await line.start(name);
    const [entry] = await line.store.audit.list(0, 10);
    expect(entry?.detail).toMatchObject({ 'customName.before': 'none', 'customName.after': 'Front door' });
  });

  it('that was sent after it went back is not recorded as unsent', async () => {
    const request = await line.approved(tag, () => line.fleet.change({ name: 'db-01' }));
    await line.approve(await line.requestNow(request));
    await line.pass(10 * MINUTE);
    const entries = await line.store.audit.list(0, 30);
    const noted = entries.filter(({ detail }) => (detail['note'] ?? null) !== null);
    expect(noted.map(({ action }) => action)).toEqual(['approval.sent-back']);
  });

  it.each([
    ['that was done', 'lost-after', 'verified'],
    ['that never arrived', 'lost-before', 'unknown'],
  ] as const)(
    'whose answer was lost, and %s, is looked for and never sent again',
    async (_what, fate, state) => {
      line.world.fate = fate;
      const edits = [tag, create, notes];
      const approvals: Awaited<ReturnType<typeof line.approved>>[] = [];
      for (const edit of edits) approvals.push(await line.approved(edit));
      await line.pass(10 * MINUTE);
      for (const request of approvals) {
        const target = await line.targetFor(request);
        expect(target).toMatchObject({ state, endedAt: expect.anything() });
        if (state === 'unknown')
          expect(target.evidence[0]).toEqual({ kind: 'edit-unconfirmed', answerLost: true });
      }
      expect(line.world.edits).toHaveLength(3);
    },
  );

  it('whose answer was lost waits for a service that cannot be read', async () => {
    line.world.fate = 'lost-after';
    const request = await line.ask(notes);
    await line.approve(request);
    line.world.holdEdit = async () => {
      line.world.readError = anError('unreachable', null);
    };
    await line.settle();
    line.world.holdEdit = async () => {};
    await line.pass(20 * MINUTE);
    line.world.readError = null;
    await line.pass(10 * MINUTE);
    expect(await line.targetFor(request)).toMatchObject({ state: 'verified' });
    expect(line.world.edits).toEqual(['updateGroup 9']);
  });

  it('that is refused changed nothing', async () => {
    line.world.fate = 'refuse';
    const request = await line.approved(notes);
    const evidence = [{ kind: 'refused', error: { kind: 'forbidden', status: 403 } }];
    expect(await line.targetFor(request)).toMatchObject({ state: 'refused', evidence });
  });

  it.each([
    [
      'a device whose tags changed',
      tag,
      () => line.fleet.change({ tags: ['x'] }),
      { kind: 'listed', name: 'web-01', field: 'editable.tags', added: ['x'] },
    ],
    ['a group that was renamed', notes, renamed, { name: 'Servers', field: 'displayName', now: 'Machines' }],
    [
      'a new group whose parent was renamed',
      create,
      renamed,
      { name: 'Web', field: 'parentName', now: 'Machines' },
    ],
  ] as const)('of %s goes back to the approver, and nothing is sent', async (_what, edit, between, drift) => {
    const before = await line.approved(edit, between);
    const after = await line.requestNow(before);
    expect(after).toMatchObject({ state: 'waiting', startedAt: null });
    expect(after.note).toMatchObject({ kind: 'drifted', changes: [drift] });
    expect(after.seal).not.toBe(before.seal);
    expect(line.world.edits).toEqual([]);
  });

  describe('that gives a group a policy', () => {
    const POLICY = policyId(12);
    const attach: FleetEdit = { kind: 'group-edit', groupId: groupId(9), change: { policyIds: [POLICY] } };
    const says = (digest: string | null, name = 'Harden SSH') => {
      line.world.policies = [aPolicy({ id: POLICY, name, type: 'custom', digest })];
    };
    beforeEach(() => says('decade'));

    it('is sent where the rules is as the approver saw it', async () => {
      await line.approved(attach, () => says('decade'));
      expect(line.world.edits).toEqual(['updateGroup 9']);
    });

    it.each([
      [
        'whose script changed',
        () => says('c0ffee'),
        { kind: 'changed', field: 'policies.digest', item: 'Harden SSH (#12)' },
      ],
      ['whose script is no longer shown', () => says(null), { kind: 'policy-hidden', policy: 'Harden SSH' }],
      [
        'that has another name',
        () => says('decade', 'Wipe disks'),
        { kind: 'changed', field: 'policies.name', now: 'Wipe disks' },
      ],
    ])('%s meanwhile goes back to the approver, and nothing is sent', async (_what, between, drift) => {
      const before = await line.approved(attach, between);
      const after = await line.requestNow(before);
      expect(after).toMatchObject({ state: 'waiting', decidedBy: null, startedAt: null });
      expect(after.note).toMatchObject({ kind: 'drifted', subject: 'group-or-policy', changes: [drift] });
      expect(line.world.edits).toEqual([]);
      expect(await line.approve(before)).toEqual({ kind: 'refused', refusal: { kind: 'stale-card' } });
      await line.approve(after);
      await line.settle();
      // What nobody can see is not sent, however often it is approved.
      const isSeen = line.world.policies.every(({ digest }) => digest !== null);
      expect(line.world.edits).toEqual(isSeen ? ['updateGroup 9'] : []);
    });
  });

  it('of a group that is gone leaves nothing to request', async () => {
    const request = await line.approved(notes, () => {
      line.world.groups = line.world.groups.filter(({ id }) => id !== 9);
    });
    expect(await line.requestNow(request)).toMatchObject({ state: 'ended', note: null });
    const evidence = [{ kind: 'gone', thing: 'group' }];
    expect(await line.targetFor(request)).toMatchObject({ state: 'not_sent', evidence });
  });

  it('that would make a second group of one name ends instead', async () => {
    const request = await line.approved(create, () => {
      const twin = aGroup({ id: groupId(77), name: 'web', parentId: groupId(9) });
      line.world.groups = [...line.world.groups, twin];
    });
    const evidence = [{ kind: 'twin', name: 'Web', group: 77 }];
    expect(await line.targetFor(request)).toMatchObject({ state: 'not_sent', evidence });
    expect(line.world.edits).toEqual([]);
  });

  it('of a thing that is being edited ends, because two at once could undo each other', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    line.world.holdEdit = () => {
      reach();
      return held;
    };
    await line.approve(await line.ask(tag));
    const sending = line.settle();
    await reached;
    const second = await line.start(name);
    await line.settle();
    expect(await line.targetOf(second)).toMatchObject({
      state: 'not_sent',
      evidence: [{ kind: 'under-way', since: line.clock.now() }],
    });
    release();
    await sending;
    expect(line.world.edits).toEqual(['updateDevice 42']);
  });

  it('that was claimed when we stopped is looked for and not sent', async () => {
    const request = await line.ask(tag);
    await line.approve(request);
    line.world.holdEdit = () => Promise.reject(new Error('stopped'));
    await expect(line.settle()).rejects.toThrow('stopped');
    line.world.holdEdit = async () => {};
    await line.settle();
    const evidence = [{ kind: 'interrupted' }, { kind: 'looking' }];
    expect(await line.targetFor(request)).toMatchObject({ state: 'unknown', evidence });
    await line.pass(10 * MINUTE);
    expect(await line.targetFor(request)).toMatchObject({ state: 'unknown', endedAt: expect.anything() });
    expect(line.world.edits).toHaveLength(1);
  });
});

describe('policies made and edited, from request to proof', () => {
  const POLICY = policyId(12);
  const create: FleetEdit = {
    kind: 'policy-create',
    policy: { name: 'Nightly', severities: [], days: 0, groupIds: [groupId(9)] },
  };
  const notes: FleetEdit = { kind: 'policy-edit', policyId: POLICY, change: { notes: 'new' } };
  const rename: FleetEdit = { kind: 'policy-edit', policyId: POLICY, change: { name: 'Nightly' } };

  beforeEach(() => {
    line.world.policies = [aPolicy({ id: POLICY, digest: 'c0ffee' })];
  });

  const change = (over: Partial<Policy>) => {
    line.world.policies = line.world.policies.map((one) => ({ ...one, ...over }));
  };

  describe('a policy', () => {
    it.each([
      ['is made', create, 'createPolicy Nightly', { kind: 'policy-made', policy: 101 }],
      ['is changed', notes, 'updatePolicy 12', { kind: 'confirmed', fields: ['notes'] }],
    ] as const)(
      '%s once, after an approval, and verified by reading it back',
      async (_, edit, call, proof) => {
        const request = await line.approved(edit);
        await line.pass(10 * MINUTE);
        expect(line.world.edits).toEqual([call]);
        expect(await line.targetFor(request)).toMatchObject({
          state: 'verified',
          endedAt: expect.anything(),
          evidence: expect.arrayContaining([proof]),
        });
      },
    );

    it.each([
      ['that was done', 'lost-after', 'verified'],
      ['that never arrived', 'lost-before', 'unknown'],
    ] as const)('whose answer was lost, %s, is looked for and never sent again', async (_, fate, state) => {
      line.world.fate = fate;
      const made = await line.approved(create);
      const edited = await line.approved(notes);
      await line.pass(10 * MINUTE);
      for (const request of [made, edited])
        expect(await line.targetFor(request)).toMatchObject({ state, endedAt: expect.anything() });
      expect(line.world.edits).toEqual(['createPolicy Nightly', 'updatePolicy 12']);
      const { evidence } = await line.targetFor(made);
      if (state === 'unknown')
        expect(evidence).toEqual([
          { kind: 'edit-unconfirmed', answerLost: true },
          { kind: 'no-such-policy' },
        ]);
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
      expect(line.world.edits).toEqual([]);
    });

    it.each([
      ['to be made', create],
      ['to be renamed', rename],
    ])('%s with a name that was taken meanwhile ends instead', async (_, edit) => {
      const request = await line.approved(edit, () => {
        const taken = aPolicy({ id: policyId(77), name: 'Nightly' });
        line.world.policies = [...line.world.policies, taken];
      });
      const evidence = [{ kind: 'name-taken', name: 'Nightly', policy: 77 }];
      expect(await line.targetFor(request)).toMatchObject({ state: 'not_sent', evidence });
      expect(line.world.edits).toEqual([]);
    });

    it('that is gone leaves nothing to request', async () => {
      const request = await line.approved(notes, () => {
        line.world.policies = [];
      });
      const evidence = [{ kind: 'gone', thing: 'policy' }];
      expect(await line.targetFor(request)).toMatchObject({ state: 'not_sent', evidence });
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
});
