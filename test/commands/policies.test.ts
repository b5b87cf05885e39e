import { describe, expect, it } from 'vitest';
import { devicesCommand } from '../../src/commands/devices.ts';
import { policiesCommand, policyCommand } from '../../src/commands/policies.ts';
import { deviceId, groupId, policyId } from '../../src/lib/ids.ts';
import { renderView } from '../../src/views/views.ts';
import { aDevice, aGroup, aPolicy } from '../harness/builders.ts';
import { testPorts } from './harness/ports.ts';
import { faultOf, runCommand } from './harness/run-command.ts';

const content = {
  groups: [aGroup()],
  policies: [
    aPolicy({ id: policyId(14), name: 'Zero' }),
    aPolicy({ groupIds: [groupId(20), groupId(77)] }),
    aPolicy({ id: policyId(13), name: 'zero' }),
  ],
};

describe('policies', () => {
  it('lists them by name with the names of their groups', async () => {
    const view = await runCommand(policiesCommand, 'policies', '', testPorts(content).ports);
    expect(view.rows.map((row) => row.policy.id)).toEqual([12, 13, 14]);
    expect(view.rows[0]?.groups).toEqual([
      { id: 20, name: 'Linux servers' },
      { id: 77, name: null },
    ]);
  });

  it('turns pages of ten', async () => {
    const many = Array.from({ length: 12 }, (_, at) => aPolicy({ id: policyId(at + 1) }));
    const view = await runCommand(policiesCommand, 'policies', '', testPorts({ policies: many }).ports, 9);
    expect(view.rows).toHaveLength(2);
    expect(view.paging).toMatchObject({ page: 1, pages: 2, total: 12 });
  });

  it('refuses words', () => {
    expect(faultOf(policiesCommand, 'all')).toMatchObject({ kind: 'unknown-word', word: 'all' });
  });
});

describe('policy', () => {
  it.each(['apply all patches', '#12', '12'])('shows the one meant by “%s”, read fresh', async (text) => {
    const { ports, fleet } = testPorts(content);
    const view = await runCommand(policyCommand, 'policy', text, ports);
    expect(view).toMatchObject({ policy: { id: 12 }, groups: [{ name: 'Linux servers' }, { name: null }] });
    expect(fleet.reads).toContain('policy');
  });

  it('counts the devices that report the policy and do not comply, and lists them', async () => {
    const reports = (id: number, compliant: boolean) => {
      const policyCompliance = [{ policyId: policyId(12), compliant }];
      return aDevice({ id: deviceId(id), policies: [aPolicy({ id: policyId(12) })], policyCompliance });
    };
    const devices = [reports(1, false), reports(2, false), reports(3, true), aDevice({ id: deviceId(4) })];
    const { ports } = testPorts({ ...content, devices });
    const view = await runCommand(policyCommand, 'policy', '#12', ports);
    const shown = renderView(view);
    expect(shown.text).toContain('*Not compliant*: 2 of 3 devices that report on this policy');
    expect(JSON.stringify(shown.blocks)).toContain('Show 2 noncompliant');
    const list = await devicesCommand.run(view.compliance?.list.input, 0, ports);
    expect(list).toMatchObject({ kind: 'devices', paging: { total: 2 } });
  });

  it('lets a person choose among policies of one name', async () => {
    const view = await runCommand(policyCommand, 'choices', 'zero', testPorts(content).ports);
    expect(view).toMatchObject({ what: 'policy', rows: [{ id: 14 }, { id: 13 }], total: 2 });
  });

  it('names the nearest of an unknown one', async () => {
    const view = await runCommand(policyCommand, 'problem', 'aply all patches', testPorts(content).ports);
    expect(view.problem).toMatchObject({ kind: 'no-such-policy', nearest: ['Apply All Patches'] });
  });

  it('offers none where no name comes near, and the list of all instead', async () => {
    const view = await runCommand(policyCommand, 'problem', 'Nightly', testPorts(content).ports);
    expect(view.problem).toEqual({ kind: 'no-such-policy', query: 'Nightly', nearest: [] });
    const drawn = JSON.stringify(renderView(view).blocks);
    expect(drawn).toContain('No close match.');
    expect(drawn).toContain('Show all policies');
    expect(drawn).not.toContain('Did you mean');
    const nearer = await runCommand(policyCommand, 'problem', 'aply all patches', testPorts(content).ports);
    expect(JSON.stringify(renderView(nearer).blocks)).not.toContain('Show all policies');
  });

  it('says that an id is of no policy', async () => {
    const view = await runCommand(policyCommand, 'problem', '#4711', testPorts(content).ports);
    expect(view.problem).toEqual({ kind: 'no-such-policy', query: '#4711', nearest: [] });
  });

  it('asks for a name', () => {
    expect(faultOf(policyCommand, '')).toEqual({ kind: 'missing', what: 'Which policy?' });
  });
});
