/** A policy on all devices of its groups: one request with a target for each, in waves. */
import { describe, expect, it } from 'vitest';
import type { ReadPorts } from '../../src/commands/core/command.ts';
import { policyOfGroupsForm } from '../../src/commands/policy-run.ts';
import { deviceId, groupId, policyId } from '../../src/lib/ids.ts';
import { renderView } from '../../src/views/views.ts';
import { aDevice, aGroup, aPolicy } from '../harness/builders.ts';
import { planLine, proposalOf } from './harness/plan-line.ts';
import { testPorts } from './harness/ports.ts';

const LINUX = groupId(20);
const LAPTOPS = groupId(30);
const SMB = aPolicy({ id: policyId(2_103), name: 'Disable SMBv1', type: 'custom', groupIds: [LAPTOPS] });
const PATCHING = aPolicy({ id: policyId(2_101), groupIds: [LAPTOPS] });
const GROUPLESS = aPolicy({ id: policyId(2_199), name: 'Nowhere', type: 'custom', groupIds: [] });

const fleetOf = (count: number) =>
  testPorts({
    devices: Array.from({ length: count }, (_, at) =>
      aDevice({
        id: deviceId(at + 1),
        name: `node-${at + 1}`,
        groupId: at % 2 === 0 ? LINUX : LAPTOPS,
      }),
    ),
    groups: [
      aGroup({ id: LINUX }),
      aGroup({ id: LAPTOPS, name: 'Laptops', policyIds: [SMB.id, PATCHING.id] }),
    ],
    policies: [SMB, PATCHING, GROUPLESS],
    pageSize: 500,
  });

async function problemOf(line: string) {
  const planned = await planLine(line, fleetOf(6).ports);
  if (planned.kind !== 'problem') throw new Error(planned.kind);
  return planned;
}

describe('policy-run', () => {
  it('is one request with a target for each device of the groups, in waves', async () => {
    const { ports, fleet } = fleetOf(40);
    await ports.inventory.snapshot();
    const before = fleet.reads.length;
    const proposal = await proposalOf('policy-run Disable SMBv1 wait:10m brake:2 because audit', ports);
    expect(proposal).toMatchObject({
      command: { kind: 'policy-remediate', policyId: 2_103 },
      plan: { waves: [1, 4, 15], brake: { kind: 'devices', devices: 2 } },
      reason: 'audit',
    });
    expect(proposal.ids.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => 2 * at + 2));
    // The policy by its name, the facts of its devices, and the policy itself.
    expect(fleet.reads.slice(before)).toEqual(['policies', 'devices', 'policy']);
  });

  it('of one device is planned as ever, without waves', async () => {
    const { ports } = fleetOf(2);
    const proposal = await proposalOf('policy-run #2103', ports);
    expect(proposal.ids).toEqual([2]);
    expect('plan' in proposal).toBe(false);
  });

  it.each([
    ['policy-run #2101', { kind: 'policy-not-for', why: 'kind' }],
    ['policy-run Nowhere', { kind: 'policy-without-devices', policy: { name: 'Nowhere' } }],
  ])('%s: is refused', async (line, problem) => {
    expect(await planLine(line, fleetOf(6).ports)).toMatchObject({ problem });
  });

  it('offers other policies where this one cannot be run by hand', async () => {
    expect(await planLine('policy-run #2101 because audit', fleetOf(6).ports)).toMatchObject({
      problem: { offers: [{ choice: { command: 'policy-run', input: { policy: 2_103, reason: 'audit' } } }] },
    });
    expect(renderView(await problemOf('policy-run #2101')).text).toContain(
      'These policies can be remediated.',
    );
    expect(await planLine('policy-run nothing', fleetOf(6).ports)).toMatchObject({
      view: { problem: { kind: 'no-such-policy' } },
    });
  });
});

describe('the form of policy-run', () => {
  const wordsOf = async (values: ReadonlyMap<string, readonly string[]>, ports: ReadPorts) => {
    const { ports: formPorts } = testPorts({});
    const opened = await policyOfGroupsForm.redraw?.(values, null, { ...formPorts, ...ports });
    if (opened?.kind !== 'form') throw new Error('no form');
    return opened.form.fields.flatMap((field) => (field.kind === 'words' ? [field.text] : [])).join('\n');
  };

  it('shows the devices of the policy that is chosen', async () => {
    const { ports } = fleetOf(20);
    expect(await wordsOf(new Map(), ports)).toBe('Choose a policy to see the devices of its groups.');
    expect(await wordsOf(new Map([['policy', ['2103']]]), ports)).toMatch(
      /^10 devices match now:\nnode-2 · #2\n(?:.*\n){4}and 5 more$/,
    );
  });

  it('is for the policy and its options', () => {
    const values = new Map([
      ['policy', ['2103']],
      ['options', ['waves:1,25%']],
      ['reason', ['audit']],
    ]);
    expect(policyOfGroupsForm.read(values, null, testPorts({}).ports)).toEqual({
      kind: 'input',
      input: {
        policy: 2_103,
        rollout: {
          waves: [
            { kind: 'devices', devices: 1 },
            { kind: 'share', percent: 25 },
          ],
        },
        reason: 'audit',
      },
    });
    values.set('options', ['speed:9']);
    expect(policyOfGroupsForm.read(values, null, testPorts({}).ports)).toMatchObject({ kind: 'errors' });
    values.delete('policy');
    expect(policyOfGroupsForm.read(values, null, testPorts({}).ports)).toMatchObject({
      errors: { policy: 'Choose a policy.' },
    });
  });
});
