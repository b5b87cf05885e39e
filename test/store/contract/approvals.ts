import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/lib/clock.ts';
import { approvalId, operationId, personId } from '../../../src/lib/ids.ts';
import { toStorableText } from '../../../src/store/engines/parameters.ts';
import type { ApprovalRecord } from '../../../src/store/port/records.ts';
import { anApproval, OTHER_ORGANIZATION, START, someFacts } from '../builders.ts';
import { countOf, type StoreSetup } from '../store-setup.ts';

export function approvalsContract(world: () => StoreSetup): void {
  const insert = async (given: Partial<ApprovalRecord> = {}) => {
    const approval = anApproval(given);
    expect(await world().store.approvals.insert(approval)).toEqual({ kind: 'inserted' });
    return approval;
  };
  const next = (approval: ApprovalRecord, given: Partial<ApprovalRecord> = {}): ApprovalRecord => ({
    ...approval,
    version: approval.version + 1,
    ...given,
  });

  describe('approvals', () => {
    it('returns exactly what was stored', async () => {
      const approval = await insert({
        reason: '',
        note: 'a\u0001\n\u{1F4A5}"\\',
        targets: [someFacts(), someFacts({ hostname: '\u0000\ud800', lastDisconnectTime: instant(0) })],
      });
      expect(await world().store.approvals.get(approval.id)).toEqual(approval);
    });

    it('lists those of a state or a person, newest first, up to a limit', async () => {
      const requesterId = personId('ULISTED');
      const ids: ApprovalRecord['id'][] = [];
      for (const [at, state] of (['waiting', 'denied', 'waiting'] as const).entries()) {
        const fingerprint = `listed-${at}`;
        const createdAt = instant(START + at);
        ids.push((await insert({ state, requesterId, createdAt, fingerprint })).id);
      }
      const [first, second, third] = ids;
      const { list } = world().store.approvals;
      const listed = async (...given: Parameters<typeof list>) => (await list(...given)).map(({ id }) => id);
      expect(await listed({ requesterId }, 9)).toEqual([third, second, first]);
      expect(await listed({ requesterId, state: 'waiting' }, 9)).toEqual([third, first]);
      expect(await listed({ requesterId }, 1)).toEqual([third]);
      expect(await listed({ requesterId: personId('UNOBODY') }, 9)).toEqual([]);
      expect((await list({}, 1_000)).length).toBeGreaterThanOrEqual(3);
    });

    it('is found by the delivery that requested it', async () => {
      const approval = await insert();
      expect(await world().store.approvals.byRequest(approval.requestKey)).toEqual(approval);
      expect(await world().store.approvals.byRequest('command:none')).toBeNull();
    });

    it('knows nothing of an id that was never stored', async () => {
      expect(await world().store.approvals.get(approvalId('a_none'))).toBeNull();
    });

    it('keeps text that PostgreSQL would refuse, with a visible mark', async () => {
      const approval = await insert({ reason: 'a\u0000b\ud800c' });
      expect((await world().store.approvals.get(approval.id))?.reason).toBe('a\uFFFDb\uFFFDc');
    });

    it('returns any text of people and devices, except what no database can store', async () => {
      const anyText = fc.string({ unit: 'binary', maxLength: 200 });
      await fc.assert(
        fc.asyncProperty(anyText, anyText, async (reason, hostname) => {
          const approval = await insert({ reason, targets: [someFacts({ hostname })] });
          const stored = { ...approval, reason: toStorableText(reason) };
          expect(await world().store.approvals.get(approval.id)).toEqual(stored);
        }),
        { numRuns: 50 },
      );
    });

    it('stores a repeated delivery once and returns the first', async () => {
      const first = await insert();
      const again = anApproval({ requestKey: first.requestKey });
      expect(await world().store.approvals.insert(again)).toEqual({ kind: 'exists', approval: first });
      expect(await world().store.approvals.get(again.id)).toBeNull();
    });

    it('returns the waiting one to whoever requests the same', async () => {
      const first = await insert();
      const duplicate = anApproval({ fingerprint: first.fingerprint });
      expect(await world().store.approvals.insert(duplicate)).toEqual({ kind: 'exists', approval: first });
    });

    it('accepts the same again once the first is decided', async () => {
      const first = await insert();
      expect(await world().store.approvals.replace(next(first, { state: 'denied' }))).toBe(true);
      await insert({ fingerprint: first.fingerprint });
    });

    it('refuses an id that another request has', async () => {
      const first = await insert();
      await expect(world().store.approvals.insert(anApproval({ id: first.id }))).rejects.toThrow('is taken');
    });

    it('refuses a record of another organization', async () => {
      const stray = anApproval({ organizationId: OTHER_ORGANIZATION });
      await expect(world().store.approvals.insert(stray)).rejects.toThrow('organization 8');
      await expect(world().store.approvals.replace(next(stray))).rejects.toThrow('organization 8');
    });

    it('replaces every field of the version before', async () => {
      const first = await insert();
      const decided = next(first, {
        state: 'approved',
        targets: [],
        command: { kind: 'reboot' },
        decidedBy: personId('U2'),
        decidedAt: START,
        note: 'drift',
        operationId: operationId('o_1'),
      });
      expect(await world().store.approvals.replace(decided)).toBe(true);
      expect(await world().store.approvals.get(first.id)).toEqual(decided);
    });

    it.each([
      ['the same version again', 1],
      ['a version that skips one', 3],
    ])('does not write %s', async (_, version) => {
      const first = await insert();
      expect(await world().store.approvals.replace({ ...first, version, state: 'denied' })).toBe(false);
      expect(await world().store.approvals.get(first.id)).toEqual(first);
    });

    it('does not write one that was never stored', async () => {
      expect(await world().store.approvals.replace(next(anApproval()))).toBe(false);
    });

    it('does not return one to waiting while another waits for the same', async () => {
      const first = await insert();
      const approved = next(first, { state: 'approved' });
      await world().store.approvals.replace(approved);
      await insert({ fingerprint: first.fingerprint });
      const back = next(approved, { state: 'waiting' });
      expect(await world().store.approvals.replace(back)).toBe(false);
      const { store } = world();
      expect(await store.transaction((tables) => tables.approvals.replace(back))).toBe(false);
      expect(await store.approvals.get(first.id)).toEqual(approved);
    });

    it('returns one of two to waiting when both try at once', async () => {
      const stores = await world().replicas(4);
      for (let round = 0; round < 5; round++) {
        const fingerprint = `back-${round}`;
        const approved: ApprovalRecord[] = [];
        for (const { approvals } of stores) {
          const one = next(await insert({ fingerprint }), { state: 'approved' });
          await approvals.replace(one);
          approved.push(one);
        }
        const won = await Promise.all(
          approved.map((one, at) => stores[at]?.approvals.replace(next(one, { state: 'waiting' }))),
        );
        expect(countOf(won, true)).toBe(1);
      }
    });

    it('lets one of fifty decisions win', async () => {
      const stores = await world().replicas(5);
      const first = await insert();
      const clicks = Array.from({ length: 50 }, (_, at) =>
        next(first, { state: at % 2 === 0 ? 'approved' : 'denied', decidedBy: personId(`U${at}`) }),
      );
      const won = await Promise.all(clicks.map((one, at) => stores[at % 5]?.approvals.replace(one)));
      expect(countOf(won, true)).toBe(1);
      expect(await world().store.approvals.get(first.id)).toEqual(clicks[won.indexOf(true)]);
    });

    it('stores one of fifty deliveries of one request, and returns it to the others', async () => {
      const stores = await world().replicas(5);
      const twins = Array.from({ length: 50 }, () => anApproval({ requestKey: 'same-delivery' }));
      const outcomes = await Promise.all(twins.map((one, at) => stores[at % 5]?.approvals.insert(one)));
      const winner = twins[outcomes.findIndex((outcome) => outcome?.kind === 'inserted')];
      const others = outcomes.filter((outcome) => outcome?.kind !== 'inserted');
      expect(others).toEqual(Array(49).fill({ kind: 'exists', approval: winner }));
    });

    it('names table and id of a row that cannot be trusted', async () => {
      const broken = await insert();
      await world().raw(`update approvals set command = '{"kind":"erase"}' where id = '${broken.id}'`);
      await expect(world().store.approvals.get(broken.id)).rejects.toThrow(
        new RegExp(`table approvals, id ${broken.id}: command`),
      );
      await world().raw(`update approvals set command = '{"kind' where id = '${broken.id}'`);
      await expect(world().store.approvals.get(broken.id)).rejects.toThrow('command: not JSON');
    });
  });
}
