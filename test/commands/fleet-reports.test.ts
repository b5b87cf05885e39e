import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { complianceCommand } from '../../src/commands/compliance.ts';
import { devicesCommand } from '../../src/commands/devices.ts';
import { groupCommand, groupsCommand, groupTree } from '../../src/commands/groups.ts';
import { organizationCommand } from '../../src/commands/organization.ts';
import { previewCommand } from '../../src/commands/preview.ts';
import { DIALECTS } from '../../src/fleet/dialect.ts';
import { FleetFailure } from '../../src/fleet/fleet.ts';
import type { Device, PreviewedDevice } from '../../src/fleet/model/resources.ts';
import { ancestorNames } from '../../src/inventory/inventory.ts';
import { deviceId, groupId, organizationId, policyId } from '../../src/lib/ids.ts';
import { toCsv } from '../../src/views/sharing/csv.ts';
import { renderView } from '../../src/views/views.ts';
import { aDevice, aGroup, anOrganization, aPolicy, START } from '../harness/builders.ts';
import { property } from '../harness/property.ts';
import { BROKEN, MISSING } from './harness/fake-fleet.ts';
import { testPorts } from './harness/ports.ts';
import { faultOf, runCommand } from './harness/typed-line.ts';

const groups = [
  aGroup({ id: groupId(1), name: '', parentId: groupId(1) }),
  aGroup(),
  aGroup({ id: groupId(30), name: 'Windows', parentId: groupId(20) }),
];

type Content = Parameters<typeof testPorts>[0];
const complianceOf = (content: Content) =>
  runCommand(complianceCommand, 'compliance', '', testPorts(content).ports);

describe('compliance', () => {
  const fleet = [
    [20, false],
    [20, false],
    [20, true],
    [30, false],
    [30, null],
    [1, true],
  ].map(([at, compliant], id) =>
    aDevice({ id: deviceId(id + 1), groupId: groupId(Number(at)), compliant: compliant as boolean | null }),
  );

  it('counts what does not comply by group, the most first, and what is not stated apart', async () => {
    const view = await complianceOf({ devices: fleet, groups });
    expect(view.rows).toMatchObject([
      { name: 'Linux servers', devices: 3, noncompliant: 2, unstated: 0 },
      { name: 'Windows', devices: 2, noncompliant: 1, unstated: 1 },
    ]);
    expect(view).toMatchObject({ devices: 6, noncompliant: 3, unstated: 1, paging: { total: 2 } });
  });

  it('leads to lists that hold the devices', async () => {
    const { ports } = testPorts({ devices: fleet, groups });
    const view = await runCommand(complianceCommand, 'compliance', '', ports);
    expect(await devicesCommand.run(view.list.input, 0, ports)).toMatchObject({ paging: { total: 3 } });
    const second = await devicesCommand.run(view.rows[1]?.list?.input, 0, ports);
    expect(second).toMatchObject({ paging: { total: 1 } });
  });

  it('counts devices of no known group, too', async () => {
    const lost = [null, groupId(99)].map((at, id) => aDevice({ id: deviceId(id + 1), groupId: at }));
    const view = await complianceOf({ devices: lost, groups });
    expect(view.rows.map(({ name, list }) => [name, list])).toEqual([
      ['#99', null],
      ['Unknown group', null],
    ]);
  });
});

describe('compliance by policy', () => {
  const has = (id: number, compliant: boolean) => ({ policyId: policyId(id), compliant });
  const policies = [aPolicy({ id: policyId(7), name: 'Patch' }), aPolicy({ id: policyId(8), name: 'SMB' })];
  const fleet = [
    [20, [has(7, false), has(8, false)]],
    [20, [has(7, false), has(9, true)]],
    [30, [has(7, false)]],
    [30, [has(7, true), has(9, false)]],
    [30, [has(7, true)]],
  ].map(([group, policyCompliance], at) =>
    aDevice({
      id: deviceId(at + 1),
      groupId: groupId(Number(group)),
      policyCompliance: policyCompliance as Device['policyCompliance'],
      compliant: at === 4,
    }),
  );
  const content = { devices: fleet, groups, policies };
  const part = (name: string, noncompliant: number) => ({ name, noncompliant });

  it('lists policies beside each group, the most devices first', async () => {
    const { rows } = await complianceOf(content);
    expect(rows.map(({ name, parts }) => [name, parts])).toEqual([
      ['Linux servers', [part('Patch', 2), part('SMB', 1)]],
      ['Windows', [part('#9', 1), part('Patch', 1)]],
    ]);
  });

  it('can be listed, each with its groups and a list of exactly these devices', async () => {
    const { ports } = testPorts(content);
    const view = await runCommand(complianceCommand, 'compliance', 'Policies', ports);
    expect(view.rows).toMatchObject([
      { name: 'Patch', devices: 5, noncompliant: 3, parts: [part('Linux servers', 2), part('Windows', 1)] },
      { name: '#9', devices: 2, noncompliant: 1 },
      { name: 'SMB', devices: 1, noncompliant: 1 },
    ]);
    const listed = await devicesCommand.run(view.rows[0]?.list?.input, 0, ports);
    expect(listed).toMatchObject({ title: 'fails:Patch', paging: { total: 3 } });
    expect(view.paging.input).toEqual({ by: 'policies' });
  });

  it.each([
    ['polices', { kind: 'unknown-word', word: 'polices', nearest: ['policies'] }],
    ['policies groups', { kind: 'unknown-word', word: 'groups', nearest: ['groups'] }],
  ])('names %s back', (text, fault) => {
    expect(faultOf(complianceCommand, text)).toEqual(fault);
  });
});

describe('preview', () => {
  const found: PreviewedDevice = {
    id: deviceId(1),
    name: 'web-01',
    customName: null,
    groupId: groupId(20),
    groupName: null,
    osFamily: 'Linux',
    osVersion: '24.04',
    addresses: ['203.0.113.10'],
    privateAddresses: ['10.0.0.10'],
    tags: [],
  };
  const content = { groups, devices: [aDevice()], previewed: [found, found, found] };

  it('sends the filters as the service takes them: one clause a key, negated ones apart', async () => {
    const { ports, fleet } = testPorts(content);
    await runCommand(previewCommand, 'preview', 'os:linux tag:a tag:"b c" -tag:d ip:10.0. host:web', ports);
    expect(fleet.previewQueries).toEqual([
      {
        filters: [
          { field: 'os_family', op: 'in', values: ['Linux'] },
          { field: 'tag', op: 'like_any', values: ['a', 'b c'] },
          { field: 'tag', op: 'not_like_any', values: ['d'] },
          { field: 'ip_addr', op: 'like_any', values: ['10.0.'] },
          { field: 'hostname', op: 'like_any', values: ['web'] },
        ],
        groupIds: [1, 20, 30],
        pageSize: 10,
        firstPage: 0,
      },
    ]);
  });

  it('looks in the named groups and those below', async () => {
    const { ports, fleet } = testPorts(content);
    const view = await runCommand(previewCommand, 'preview', '-os:linux group:"linux servers"', ports);
    expect(fleet.previewQueries[0]).toMatchObject({ groupIds: [20, 30], filters: [{ op: 'not_in' }] });
    expect(view.groups).toEqual(['Linux servers', 'Windows']);
  });

  it('gives the count, a sample with the names of groups, and no address', async () => {
    const view = await runCommand(previewCommand, 'preview', 'host:web', testPorts(content).ports);
    expect(view).toMatchObject({ total: 3, question: 'host:web', groups: [] });
    expect(view.rows).toHaveLength(2);
    expect(view.rows[0]?.groupName).toBe('Linux servers');
    expect(JSON.stringify(renderView(view))).not.toMatch(/203\.0\.113|10\.0\.0/);
    expect(JSON.stringify(renderView(view))).toContain('3 devices, as of');
  });

  it('sends both operators of each field', async () => {
    const { ports, fleet } = testPorts(content);
    const fields = { os: 'Linux', version: '12', tag: 'a', ip: '10.', host: 'web', ou: 'Servers' };
    const text = Object.entries(fields).flatMap(([key, value]) => [`${key}:${value}`, `-${key}:${value}`]);
    await runCommand(previewCommand, 'preview', text.join(' '), ports);
    expect(fleet.previewQueries[0]?.filters.map(({ field, op }) => `${field} ${op}`)).toEqual([
      ...['os_family in', 'os_family not_in', 'os_version_id in', 'os_version_id not_in'],
      ...['tag like_any', 'tag not_like_any', 'ip_addr like_any', 'ip_addr not_like_any'],
      ...['hostname like_any', 'hostname not_like_any'],
      ...['organizational_unit like_any', 'organizational_unit not_like_any'],
    ]);
  });

  it('refuses a unit where the service has no such filter, without asking it', async () => {
    const { ports, fleet } = testPorts(content);
    const documented = { ...ports, dialect: DIALECTS.documented };
    const { problem } = await runCommand(previewCommand, 'problem', 'host:web ou:Servers', documented);
    expect(problem).toMatchObject({ fault: { kind: 'bad-value', word: 'ou:Servers' } });
    expect(fleet.previewQueries).toEqual([]);
  });

  it('reads further pages from the service, and the last one where fewer match meanwhile', async () => {
    const many = Array.from({ length: 23 }, (_, at) => ({ ...found, id: deviceId(at + 1) }));
    const { ports, fleet } = testPorts({ ...content, previewed: many, pageSize: 10 });
    const first = await runCommand(previewCommand, 'preview', 'host:web', ports);
    expect(first.paging).toMatchObject({ page: 0, pages: 3, total: 23, line: { text: 'preview host:web' } });
    const later = await previewCommand.run(first.paging.input, 7, ports);
    expect(later).toMatchObject({ kind: 'preview', total: 23, paging: { page: 2, pages: 3 } });
    expect(fleet.previewQueries.map(({ firstPage }) => firstPage)).toEqual([0, 7, 2]);
  });

  it('gives all devices for a file', async () => {
    const many = Array.from({ length: 23 }, (_, at) => ({ ...found, id: deviceId(at + 1) }));
    const { ports } = testPorts({ ...content, previewed: many, pageSize: 5 });
    const view = await runCommand(previewCommand, 'preview', 'host:web', { ...ports, pageSize: 50_000 });
    expect(view.rows).toHaveLength(23);
  });

  it('names systems as lists do, in the file too', async () => {
    const other = { ...found, id: deviceId(2), osFamily: 'Windows', osVersion: '11' };
    const fleet = [aDevice({ id: found.id, osFamily: 'Linux', osName: 'Ubuntu', osVersion: '24.04' })];
    const { ports } = testPorts({ groups, devices: fleet, previewed: [found, other] });
    const view = await runCommand(previewCommand, 'preview', 'host:web', ports);
    const listed = await runCommand(devicesCommand, 'devices', '', ports);
    expect(JSON.stringify(renderView(listed))).toContain('Ubuntu 24.04');
    expect(JSON.stringify(renderView(view))).toMatch(/Ubuntu 24\.04.*Windows 11/);
    expect(JSON.stringify(renderView(view))).not.toContain('Linux 24.04');
    expect(toCsv(view)?.text).toMatch(/Ubuntu,24\.04\r\n.*Windows,11/);
  });

  it('says for a device reinstalled with another system what the service says', async () => {
    const fleet = [aDevice({ id: found.id, osFamily: 'Windows', osName: '11 Pro' })];
    const { ports } = testPorts({ groups, devices: fleet, previewed: [found] });
    const view = await runCommand(previewCommand, 'preview', 'host:web', ports);
    expect(JSON.stringify(renderView(view))).toContain('Linux 24.04');
  });

  it('says that nothing fits', async () => {
    const view = await runCommand(previewCommand, 'preview', 'host:x', testPorts({ groups }).ports);
    expect(view).toMatchObject({ total: 0, rows: [] });
  });

  it('names a misspelled family or group', async () => {
    const { ports, fleet } = testPorts(content);
    const problem = async (text: string) =>
      (await runCommand(previewCommand, 'problem', text, ports)).problem;
    const fault = { kind: 'unknown-word', nearest: ['os:Linux'] };
    expect(await problem('os:linx')).toMatchObject({ kind: 'usage', fault });
    const group = { kind: 'no-such-group', nearest: ['Linux servers'] };
    expect(await problem('group:linx os:linx')).toMatchObject(group);
    const offer = { line: '/fleet preview host:web group:"Linux servers"', choice: { command: 'preview' } };
    expect(await problem('host:web group:linx')).toMatchObject({ offers: [offer] });
    expect(fleet.previewQueries).toEqual([]);
  });

  it.each([
    ['', { kind: 'missing', what: 'Enter at least one filter.' }],
    ['web', { kind: 'bad-value', word: 'web' }],
    ['is:online', { kind: 'unknown-word', word: 'is:online' }],
    ['host:', { kind: 'bad-value', word: 'host:' }],
    ['-group:x', { kind: 'bad-value', word: '-group:x' }],
  ])('does not take “%s”', (text, fault) => {
    expect(faultOf(previewCommand, text)).toMatchObject(fault);
  });
});

describe('groups and their tree', () => {
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

    const id = fc.integer({ min: 1, max: 8 });
    const any = fc.array(fc.record({ id, parent: fc.option(id), name: fc.constantFrom('', 'a', 'b') }));
    property([any])('shows every group exactly once, whatever tree the service returns', (given) => {
      const list = [...new Map(given.map((one) => [one.id, g(one.id, one.name, one.parent)])).values()];
      const shown = groupTree(list).map((node) => node.group.id);
      expect(shown.toSorted()).toEqual(list.map((one) => one.id).toSorted());
      const byId = new Map(list.map((each) => [each.id, each]));
      for (const one of list) expect(ancestorNames(one, byId).length).toBeLessThan(8);
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
      const front = await runCommand(groupCommand, 'group', 'front', ports);
      expect(front).toMatchObject({ above: ['Linux servers', 'Web'] });
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
      const chosen = await groupCommand.run(view.rows[1]?.choice.input, 0, ports);
      expect(chosen).toMatchObject({ kind: 'group', group: { id: 41 } });
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
      const unnamed = [12, 99].map((id) => ({ id, name: null }));
      const view = await runCommand(groupCommand, 'group', '#20', without);
      expect(view).toMatchObject({ group: { id: 20 }, policies: unnamed });
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
});

describe('organization', () => {
  const organizationOf = (content: Content) =>
    runCommand(organizationCommand, 'organization', '', testPorts(content).ports);

  it('is the one that is set, of all that the key sees', async () => {
    const organizations = [anOrganization({ id: organizationId(8), name: 'Other' }), anOrganization()];
    const view = await organizationOf({ organizations });
    expect(view.organization?.name).toBe('Acme');
  });

  it('is not among those that the key sees', async () => {
    const organizations = [anOrganization({ id: organizationId(8) })];
    const view = await organizationOf({ organizations });
    expect(view).toMatchObject({ organization: null, id: 7 });
  });
});
