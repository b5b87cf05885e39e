import { describe, expect, it } from 'vitest';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import type { FleetCommand } from '../../../src/fleet/model/resources.ts';
import { type Instant, instant } from '../../../src/lib/clock.ts';
import { approvalId, type DeviceId, deviceId, groupId, operationId } from '../../../src/lib/ids.ts';
import type { OperationRecord, TargetRecord } from '../../../src/store/port/records.ts';
import { anOperation, asRecent, aTarget, fresh, OTHER_ORGANIZATION, START } from '../builders.ts';
import { countOf, type StoreSetup } from '../store-setup.ts';

const GROUP = { name: 'Web', parentId: groupId(1), refreshIntervalMinutes: 1440 } as const;

export function operationsContract(world: () => StoreSetup): void {
  const insert = async (given: Partial<OperationRecord> = {}) => {
    const operation = anOperation(given);
    expect(await world().store.operations.insert(operation)).toEqual({ kind: 'inserted' });
    return operation;
  };
  const device = () => deviceId(Number(fresh()) + 5_000);

  describe('operations', () => {
    it('returns exactly what was stored, targets in their order', async () => {
      const id = operationId(`o_${fresh()}`);
      const targets = ([null, 'failed', 'gone'] as const).map((endCause, at) =>
        aTarget(id, { deviceId: deviceId([9, 3, 7][at] ?? 0), endCause }),
      );
      const operation = await insert({ id, targets });
      expect(await world().store.operations.get(id)).toEqual(operation);
    });

    it('stores more targets than one statement can carry', async () => {
      const id = operationId(`o_${fresh()}`);
      const targets = Array.from({ length: 2_500 }, (_, at) =>
        aTarget(id, { deviceId: deviceId(100_000 + at) }),
      );
      await insert({ id, targets });
      expect((await world().store.operations.get(id))?.targets).toEqual(targets);
    });

    it('lists on which devices commands of some kinds ended since a time', async () => {
      const [patched, scanned, waiting] = [device(), device(), device()];
      const since = instant(START + 2_000_000_000);
      const ended = async (command: FleetCommand, id: DeviceId, endedAt: Instant | null) => {
        const operation = operationId(`o_${fresh()}`);
        const target = aTarget(operation, { deviceId: id, state: 'verified', endedAt });
        await insert({ id: operation, command, targets: [target] });
      };
      await ended({ kind: 'patch-all' }, patched, instant(since + 5));
      await ended({ kind: 'patch', packages: ['a'] }, patched, since);
      await ended({ kind: 'scan' }, scanned, instant(since + 5));
      await ended({ kind: 'patch', packages: ['b'] }, waiting, null);
      const { operations } = world().store;
      expect(await operations.endedSince(since, ['patch', 'patch-all'])).toEqual([
        { deviceId: patched, at: since + 5 },
      ]);
      expect(await operations.endedSince(since, [])).toEqual([]);
    });

    it('lists the newest first with their targets, up to a limit', async () => {
      const at = instant(START + 1_000_000_000);
      const ids = [operationId(`o_${fresh()}`), operationId(`o_${fresh()}`)];
      const stored: OperationRecord[] = [];
      for (const [after, id] of ids.entries()) {
        const targets = [9, 3].map((one) => aTarget(id, { deviceId: deviceId(300_000 + one + after) }));
        stored.push(await insert({ id, targets, createdAt: instant(at + after) }));
      }
      expect(await world().store.operations.recent(2)).toEqual(stored.toReversed().map(asRecent));
      expect(await world().store.operations.recent(1)).toEqual(stored.slice(1).map(asRecent));
    });

    it('is found by the delivery that requested it', async () => {
      const operation = await insert();
      expect(await world().store.operations.byRequest(operation.requestKey)).toEqual(operation);
      expect(await world().store.operations.byRequest('command:none')).toBeNull();
    });

    it('knows nothing of an id that was never stored', async () => {
      expect(await world().store.operations.get(operationId('o_none'))).toBeNull();
    });

    it.each([
      ['delivery', 'requestKey'],
      ['approval', 'approvalId'],
    ] as const)('stores one operation for each %s', async (_, field) => {
      const first = await insert({ approvalId: approvalId(`a_${fresh()}`) });
      const again = anOperation({ [field]: first[field] });
      expect(await world().store.operations.insert(again)).toEqual({ kind: 'exists', operation: first });
      expect(await world().store.operations.get(again.id)).toBeNull();
    });

    it('stores many that need no approval', async () => {
      const { operations } = world().store;
      for (const operation of [anOperation({ approvalId: null }), anOperation({ approvalId: null })])
        expect(await operations.insert(operation)).toEqual({ kind: 'inserted' });
    });

    it('refuses an id that another request has', async () => {
      const first = await insert();
      await expect(world().store.operations.insert(anOperation({ id: first.id }))).rejects.toThrow(
        'is taken',
      );
    });

    it('refuses a record of another organization', async () => {
      const stray = anOperation({ organizationId: OTHER_ORGANIZATION });
      await expect(world().store.operations.insert(stray)).rejects.toThrow('organization 8');
    });

    it('stores nothing of an operation whose targets cannot be stored', async () => {
      const id = operationId(`o_${fresh()}`);
      const twice = anOperation({ id, targets: [aTarget(id), aTarget(id)] });
      await expect(world().store.operations.insert(twice)).rejects.toThrow();
      expect(await world().store.operations.get(id)).toBeNull();
    });

    it('moves a target from its current state', async () => {
      const { id, targets } = await insert();
      const [issuing] = targets;
      const accepted = aTarget(id, { ...issuing, state: 'accepted', acceptedAt: START, missedAt: START });
      expect(await world().store.operations.replaceTarget('issuing', accepted)).toBe(true);
      const stored = await world().store.operations.get(id);
      expect(stored?.targets).toEqual([accepted]);
      expect(stored?.version).toBe(2);
    });

    it('does not move a target from a state that it is not in', async () => {
      const operation = await insert();
      const verified = aTarget(operation.id, { ...operation.targets[0], state: 'verified' });
      expect(await world().store.operations.replaceTarget('accepted', verified)).toBe(false);
      expect(await world().store.operations.get(operation.id)).toEqual(operation);
    });

    it('lets one of fifty claims of a target win', async () => {
      const stores = await world().replicas(5);
      const id = operationId(`o_${fresh()}`);
      const on = device();
      await insert({ id, targets: [aTarget(id, { deviceId: on, state: 'ready' })] });
      const claims = Array.from({ length: 50 }, (_, at) =>
        stores[at % 5]?.operations.replaceTarget('ready', aTarget(id, { deviceId: on, state: 'issuing' })),
      );
      expect(countOf(await Promise.all(claims), true)).toBe(1);
    });

    it('stores one of fifty operations of one approval', async () => {
      const stores = await world().replicas(5);
      const approval = approvalId(`a_${fresh()}`);
      const attempts = Array.from({ length: 50 }, (_, at) =>
        stores[at % 5]?.operations.insert(anOperation({ approvalId: approval })),
      );
      const outcomes = await Promise.all(attempts);
      expect(
        countOf(
          outcomes.map((outcome) => outcome?.kind),
          'inserted',
        ),
      ).toBe(1);
      const seen = outcomes.flatMap((outcome) => (outcome?.kind === 'exists' ? [outcome.operation] : []));
      expect(new Set(seen.map(({ id }) => id)).size).toBe(1);
      expect(seen.every(({ targets }) => targets.length === 1)).toBe(true);
    });

    it('finds the targets of a device that are not ended, oldest first', async () => {
      const on = device();
      const patch = { kind: 'patch', packages: ['curl', 'openssl'] } as const;
      const target = async (issuedAt: number, endedAt: Instant | null, command: FleetCommand = patch) => {
        const id = operationId(`o_${fresh()}`);
        const one = aTarget(id, { deviceId: on, state: 'queued', issuedAt: instant(issuedAt), endedAt });
        await insert({ id, targets: [one], command });
        return one;
      };
      const younger = await target(START + 1, null);
      const older = await target(START, null);
      await target(START, instant(START + 2));
      await target(START, null, { kind: 'scan' });
      const open = (one: DeviceId, command: FleetCommand) =>
        world().store.operations.openTargets(one, command);
      expect(await open(on, { kind: 'patch', packages: ['openssl', 'curl', 'curl'] })).toEqual([
        older,
        younger,
      ]);
      expect(await open(on, { kind: 'patch', packages: ['curl'] })).toEqual([]);
      expect(await open(device(), patch)).toEqual([]);
    });

    it('allows one target of a device and command that was sent and is not in the queue yet', async () => {
      const on = device();
      const put = (state: TargetRecord['state'], more: Partial<OperationRecord> = {}) => {
        const id = operationId(`o_${fresh()}`);
        return insert({ id, targets: [aTarget(id, { deviceId: on, state })], ...more });
      };
      const first = await put('issuing');
      const second = await put('ready');
      await put('queued');
      await put('issuing', { command: { kind: 'scan' } });
      await expect(put('accepted')).rejects.toThrow(/unique/i);
      await expect(put('unknown')).rejects.toThrow(/unique/i);
      const claim = aTarget(second.id, { deviceId: on, state: 'issuing' });
      await expect(world().store.operations.replaceTarget('ready', claim)).rejects.toThrow(/unique/i);
      const ended = aTarget(first.id, { deviceId: on, state: 'unknown', endedAt: START });
      expect(await world().store.operations.replaceTarget('issuing', ended)).toBe(true);
      expect(await world().store.operations.replaceTarget('ready', claim)).toBe(true);
    });

    it('keeps the edit of a group, which concerns no device', async () => {
      const id = operationId(`o_${fresh()}`);
      const target = aTarget(id, { deviceId: null, displayName: 'Kiosks', state: 'ready' });
      const command = {
        kind: 'group-edit',
        groupId: groupId(Number(fresh())),
        change: { notes: '' },
      } as const;
      const operation = await insert({ id, command, targets: [target] });
      expect(await world().store.operations.get(id)).toEqual(operation);
      const claim = { ...target, state: 'issuing' } as const;
      expect(await world().store.operations.replaceTarget('ready', claim)).toBe(true);
      expect(await world().store.operations.openTargets(null, command)).toEqual([claim]);
      expect(await world().store.operations.openTargets(device(), command)).toEqual([]);
    });

    it.each<readonly [string, FleetAction, FleetAction, FleetAction]>([
      [
        'device',
        { kind: 'device-edit', change: { customName: 'a' } },
        { kind: 'device-edit', change: { retag: { add: ['b'], remove: [] } } },
        { kind: 'scan' },
      ],
      [
        'group',
        { kind: 'group-edit', groupId: groupId(71), change: { notes: 'a' } },
        { kind: 'group-edit', groupId: groupId(71), change: { name: 'b' } },
        { kind: 'group-edit', groupId: groupId(72), change: { name: 'b' } },
      ],
      [
        'new group',
        { kind: 'group-create', group: { ...GROUP, notes: 'a' } },
        { kind: 'group-create', group: { ...GROUP, name: ' web ' } },
        { kind: 'group-create', group: { ...GROUP, parentId: groupId(2) } },
      ],
    ])(
      'holds one edit of a %s that is under way, whatever it changes',
      async (what, first, second, other) => {
        const on = what === 'device' ? device() : null;
        const put = (command: FleetAction, state: TargetRecord['state'] = 'issuing') => {
          const id = operationId(`o_${fresh()}`);
          return insert({ id, command, targets: [aTarget(id, { deviceId: on, state })] });
        };
        await put(first);
        await expect(put(second)).rejects.toThrow(/unique/i);
        await put(other);
        expect(await world().store.operations.openTargets(on, second)).toHaveLength(1);
      },
    );

    it('names table and id of a target that cannot be trusted', async () => {
      const { id, targets } = await insert();
      await world().raw(`update operation_targets set state = 'maybe' where operation_id = '${id}'`);
      await expect(world().store.operations.get(id)).rejects.toThrow(
        `table operation_targets, id ${id}/${targets[0]?.deviceId}: state`,
      );
    });
  });
}
