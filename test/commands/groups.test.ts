import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupCommand, groupsCommand, groupTree } from '../../src/commands/groups.ts';
import { FleetFailure } from '../../src/fleet/fleet.ts';
import { ancestorNames } from '../../src/inventory/inventory.ts';
import { deviceId, groupId, policyId } from '../../src/lib/ids.ts';
import { renderView } from '../../src/views/views.ts';
import { aDevice, aGroup, aPolicy, START } from '../harness/builders.ts';
import { BROKEN, MISSING } from './harness/fake-fleet.ts';
import { testPorts } from './harness/ports.ts';
import { faultOf, runCommand } from './harness/run-command.ts';

const g = (id: number, name: string, parent: number | null, more: Parameters<typeof aGroup>[0] = {}) =>
  aGroup({ id: groupId(id), name, parentId: parent === null ? null : groupId(parent), ...more });

const tree = [
  g(30, 'Windows', 1),
  g(22, 'Front', 21),
  g(20, 'Linux servers', 1, { policyIds: [policyId(12), policyId(99)] }),
  g(1, '', 1),
  g(21, 'Web', 20),
];
const content = {
  groups: tree,
  devices: [20, 20, 22, 1].map((at, id) => aDevice({ id: deviceId(id + 1), groupId: groupId(at) })),
  policies: [aPolicy()],
};

describe('groups', () => {
  it('shows the tree: the Default group first, each group after its parent, with its devices', async () => {
    const view = await runCommand(groupsCommand, 'groups', '', testPorts(content).ports);
    expect(view.rows.map(({ name, depth, devices }) => [name, depth, devices])).toEqual([
      ['Default group', 0, 1],
      ['Linux servers', 0, 2],
      ['Web', 1, 0],
      ['Front', 2, 1],
      ['Windows', 0, 0],
    ]);
    expect(view.rows[1]).toMatchObject({ policies: 2, refreshIntervalMinutes: 1_440 });
    expect(view).toMatchObject({ devices: 4, paging: { total: 5, pages: 1, asOf: START } });
  });

  it('shows every group exactly once, whatever tree the service returns', () => {
    const id = fc.integer({ min: 1, max: 8 });
    const any = fc.array(fc.record({ id, parent: fc.option(id), name: fc.constantFrom('', 'a', 'b') }));
    fc.assert(
      fc.property(any, (given) => {
        const list = [...new Map(given.map((one) => [one.id, g(one.id, one.name, one.parent)])).values()];
        expect(
          groupTree(list)
            .map((node) => node.group.id)
            .toSorted(),
        ).toEqual(list.map((one) => one.id).toSorted());
        for (const one of list) {
          expect(ancestorNames(one, new Map(list.map((each) => [each.id, each]))).length).toBeLessThan(8);
        }
      }),
    );
  });

  it('turns pages of fifteen', async () => {
    const many = Array.from({ length: 20 }, (_, at) => g(at + 2, `g${at}`, 1));
    const view = await runCommand(groupsCommand, 'groups', '', testPorts({ groups: many }).ports, 1);
    expect(view.rows).toHaveLength(5);
    expect(view.paging).toMatchObject({ page: 1, pages: 2, total: 20, input: {} });
  });

  it.each(['web', '-x', 'is:online', 'because x'])('refuses “%s”', (text) => {
    expect(faultOf(groupsCommand, text)).toMatchObject({ kind: 'unknown-word' });
  });
});

describe('group', () => {
  it('shows a group read fresh: the groups above, policies by name, devices with those below', async () => {
    const { ports, fleet } = testPorts(content);
    expect(await runCommand(groupCommand, 'group', 'front', ports)).toMatchObject({
      above: ['Linux servers', 'Web'],
    });
    expect(await runCommand(groupCommand, 'group', 'linux servers', ports)).toMatchObject({
      name: 'Linux servers',
      above: ['Default group'],
      policies: [
        { id: 12, name: 'Apply All Patches' },
        { id: 99, name: null },
      ],
      devices: 2,
      devicesBelow: 3,
      list: { command: 'devices', input: { filters: [{ key: 'group', value: 'Linux servers' }] } },
    });
    expect(fleet.reads).toContain('group');
    expect([...fleet.lanes]).toEqual(['person']);
  });

  it.each(['default', 'Default group', '#1', '1'])('finds the Default group as “%s”', async (text) => {
    const view = await runCommand(groupCommand, 'group', text, testPorts(content).ports);
    expect(view).toMatchObject({ name: 'Default group', group: { id: 1 }, devices: 1, devicesBelow: 1 });
    expect(view.above).toEqual([]);
  });

  it('names the Default group as the parent of top-level groups', async () => {
    const card = renderView(await runCommand(groupCommand, 'group', 'windows', testPorts(content).ports));
    expect(JSON.stringify(card.blocks)).toContain('*Parent group*\\nDefault group');
  });

  it('prefers a name to a number', async () => {
    const { ports } = testPorts({ groups: [...tree, g(40, '30', 1)] });
    expect(await runCommand(groupCommand, 'group', '30', ports)).toMatchObject({ group: { id: 40 } });
  });

  it('lets a person choose among groups of one name', async () => {
    const { ports } = testPorts({ groups: [...tree, g(41, 'web', 30)] });
    const view = await runCommand(groupCommand, 'choices', 'Web', ports);
    expect(view).toMatchObject({
      what: 'group',
      total: 2,
      rows: [
        { id: 21, detail: 'Linux servers', choice: { command: 'group', input: { group: 21 } } },
        { id: 41, detail: 'Windows' },
      ],
    });
    expect(await groupCommand.run(view.rows[1]?.choice.input, 0, ports)).toMatchObject({
      kind: 'group',
      group: { id: 41 },
    });
  });

  it('names the nearest of an unknown one', async () => {
    const view = await runCommand(groupCommand, 'problem', 'linx servers', testPorts(content).ports);
    expect(view.problem).toMatchObject({ kind: 'no-such-group', nearest: ['Linux servers'] });
  });

  it('says that an id is of no group', async () => {
    const view = await runCommand(groupCommand, 'problem', '#4711', testPorts(content).ports);
    expect(view.problem).toEqual({ kind: 'no-such-group', query: '#4711', nearest: [] });
  });

  it('shows a group although the service has no list of policies', async () => {
    const { ports } = testPorts(content);
    const policies = () => {
      throw new FleetFailure(MISSING);
    };
    const without = { ...ports, fleet: { ...ports.fleet, policies } };
    expect(await runCommand(groupCommand, 'group', '#20', without)).toMatchObject({
      group: { id: 20 },
      policies: [
        { id: 12, name: null },
        { id: 99, name: null },
      ],
    });
  });

  it('leaves other failures to the flow', async () => {
    const { ports, fleet } = testPorts(content);
    fleet.failWith(BROKEN);
    await expect(groupCommand.run({ group: 1 }, 0, ports)).rejects.toThrow(FleetFailure);
  });

  it('asks for a name', () => {
    expect(faultOf(groupCommand, '')).toEqual({ kind: 'missing', what: 'Which group?' });
  });

  it.each([[null], [{}], [{ group: 0 }], [{ group: '' }]])('refuses %j from a button', async (input) => {
    expect(await groupCommand.run(input, 0, testPorts(content).ports)).toMatchObject({ kind: 'problem' });
  });
});
