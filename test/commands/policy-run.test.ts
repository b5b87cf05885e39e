import { describe, expect, it } from 'vitest';
import type { ReadPorts, WriteCommand } from '../../src/commands/core/command.ts';
import {
  policyOfGroupsForm,
  policyRemediateCommand,
  policyTestCommand,
} from '../../src/commands/policy-run.ts';
import type { Device } from '../../src/fleet/model/resources.ts';
import { deviceId, groupId, type PolicyId, policyId } from '../../src/lib/ids.ts';
import { problemText } from '../../src/views/problems/problem-text.ts';
import { renderView } from '../../src/views/views.ts';
import { aDevice, aGroup, aPolicy, aPolicyStatus, aQueueEntry } from '../harness/builders.ts';
import { someFacts } from '../harness/records.ts';
import type { FakeFleetContent } from './harness/fake-fleet.ts';
import { drawn, textOf } from './harness/forms.ts';
import { testPorts } from './harness/ports.ts';
import { faultOf, inputOf, planLine, proposalOf } from './harness/typed-line.ts';

describe('a policy on all devices of its groups', () => {
  const LINUX = groupId(20);
  const LAPTOPS = groupId(30);
  const SMB = aPolicy({ id: policyId(2_103), name: 'Disable SMBv1', type: 'custom', groupIds: [LAPTOPS] });
  const PATCHING = aPolicy({ id: policyId(2_101), groupIds: [LAPTOPS] });
  const GROUPLESS = aPolicy({ id: policyId(2_199), name: 'Nowhere', type: 'custom', groupIds: [] });

  const fleetOf = (count: number) =>
    testPorts({
      devices: Array.from({ length: count }, (_, at) =>
        aDevice({ id: deviceId(at + 1), name: `node-${at + 1}`, groupId: at % 2 === 0 ? LINUX : LAPTOPS }),
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
      expect(proposal.ids.toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 20 }, (_, at) => 2 * at + 2),
      );
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
        problem: {
          offers: [{ choice: { command: 'policy-run', input: { policy: 2_103, reason: 'audit' } } }],
        },
      });
      expect(renderView(await problemOf('policy-run #2101')).text).toContain(
        'These policies can be remediated.',
      );
      const expected = { view: { problem: { kind: 'no-such-policy' } } };
      expect(await planLine('policy-run nothing', fleetOf(6).ports)).toMatchObject(expected);
    });
  });

  describe('the form of policy-run', () => {
    const wordsOf = async (values: ReadonlyMap<string, readonly string[]>, ports: ReadPorts) => {
      const { ports: formPorts } = testPorts({});
      return textOf(await drawn(policyOfGroupsForm.redraw?.(values, null, { ...formPorts, ...ports })));
    };

    it('shows the devices of the policy that is chosen', async () => {
      const { ports } = fleetOf(20);
      expect(await wordsOf(new Map(), ports)).toBe('Choose a policy to see the devices of its groups.');
      expect(await wordsOf(new Map([['policy', ['2103']]]), ports)).toMatch(
        /^10 devices match now:\nnode-2 · #2\n(?:.*\n){4}and 5 more$/,
      );
    });

    it('is for the policy and its options', () => {
      const waves = [
        { kind: 'devices', devices: 1 },
        { kind: 'share', percent: 25 },
      ];
      const values = new Map(
        Object.entries({ policy: ['2103'], options: ['waves:1,25%'], reason: ['audit'] }),
      );
      const input = { policy: 2_103, rollout: { waves }, reason: 'audit' };
      expect(policyOfGroupsForm.read(values, null, testPorts({}).ports)).toEqual({ kind: 'input', input });
      values.set('options', ['speed:9']);
      expect(policyOfGroupsForm.read(values, null, testPorts({}).ports)).toMatchObject({ kind: 'errors' });
      values.delete('policy');
      const expected = { errors: { policy: 'Choose a policy.' } };
      expect(policyOfGroupsForm.read(values, null, testPorts({}).ports)).toMatchObject(expected);
    });
  });
});

describe('a policy on one device', () => {
  const smb = aPolicy({ id: policyId(2_103), name: 'Disable SMBv1', type: 'custom', digest: 'c0ffee' });
  const vpn = aPolicy({
    id: policyId(2_104),
    name: 'Require VPN',
    type: 'required_software',
    digest: 'decade',
  });
  const patches = aPolicy({ id: policyId(2_101) });
  const elsewhere = aPolicy({
    id: policyId(2_105),
    name: 'Kiosk mode',
    type: 'custom',
    groupIds: [groupId(99)],
  });
  const odd = aPolicy({ id: policyId(2_106), name: 'Odd', type: null });
  const policies = [smb, vpn, patches, elsewhere, odd];

  const statusOf = (id: PolicyId, status: number) =>
    aPolicyStatus({ policyId: id, policyName: 'as it was', status });

  /** A device as the document shows it: with policy statuses, without policies. */
  const documented = aDevice({
    policyStatuses: [smb, vpn, patches, odd].map(({ id }, at) => statusOf(id, at === 0 ? 0 : 1)),
  });
  /** A device as the live service shows it. */
  const live = { ...documented, policies: [smb, vpn, patches, odd] };

  const content = (device: Device): FakeFleetContent => ({ devices: [device], groups: [aGroup()], policies });

  const planned = (command: WriteCommand, text: string, of: FakeFleetContent = content(documented)) =>
    command.plan(inputOf(command, text), testPorts(of).ports);
  async function refusalOf(command: WriteCommand, text: string, of?: FakeFleetContent): Promise<string> {
    const plan = await planned(command, text, of);
    if (plan.kind !== 'problem') throw new Error(plan.kind);
    const { what, changed, next } = problemText(plan.problem, '/fleet');
    return [what, changed, next].filter((part) => part !== '').join(' ');
  }

  const COMMANDS = [
    ['policy-test', policyTestCommand],
    ['policy-remediate', policyRemediateCommand],
  ] as const;

  describe.each(COMMANDS)('%s', (kind, command) => {
    it.each([
      ['document', documented],
      ['live service', live],
    ])('is sealed to the policy as it is now, in the form of the %s', async (_form, device) => {
      expect(await planned(command, 'web-01 policy:"disable smbv1" because audit', content(device))).toEqual({
        kind: 'proposal',
        proposal: {
          command: { kind, policyId: 2_103, policyName: 'Disable SMBv1' },
          targets: [
            someFacts({
              policy: { name: 'Disable SMBv1', type: 'custom', status: 0, digest: 'c0ffee' },
              tags: ['web'],
            }),
          ],
          reason: 'audit',
        },
      });
    });

    it('takes a policy by its number, and the device by words in any place', async () => {
      expect(await planned(command, 'policy:#2103 #1001')).toMatchObject({
        proposal: { command: { policyId: 2_103 }, targets: [{ deviceId: 1001 }], reason: null },
      });
    });

    it.each([
      ['', { kind: 'missing', what: 'Which device?', prefill: {} }],
      ['policy:x', { kind: 'missing', what: 'Which device?', prefill: { policy: 'x' } }],
      [
        'web-01',
        {
          kind: 'missing',
          what: 'Which policy? For example policy:"Disable SMBv1".',
          prefill: { device: 'web-01' },
        },
      ],
      ['web-01 policy:', { kind: 'missing', prefill: { device: 'web-01' } }],
      ['web-01 policy:x policy:y', { kind: 'bad-value', word: 'policy:y' }],
      ['web-01 -policy:x', { kind: 'unknown-word', word: '-policy:x' }],
      ['web-01 plicy:x', { kind: 'unknown-word', nearest: ['policy:'] }],
      ['web-01 policy:x --now', { kind: 'unknown-word', word: '--now' }],
      ['web-01 policy:x because', { kind: 'missing' }],
    ])('says what is wrong with “%s”', (text, fault) => {
      expect(faultOf(command, text)).toMatchObject(fault);
    });

    it('names the nearest of an unknown policy, and knows none of an unknown number', async () => {
      expect(await planned(command, 'web-01 policy:"Disable SMB" because audit')).toMatchObject({
        kind: 'view',
        view: {
          problem: {
            ...{ kind: 'no-such-policy', nearest: ['Disable SMBv1'] },
            offers: [
              {
                ...{ kind: 'named', what: 'policy', name: 'Disable SMBv1', id: 2_103 },
                choice: { command: kind, input: { device: 'web-01', policy: 2_103, reason: 'audit' } },
              },
            ],
          },
        },
      });
      const problem = { kind: 'no-such-policy', query: '#77', nearest: [] };
      expect(await planned(command, 'web-01 policy:#77')).toEqual({ kind: 'problem', problem });
    });

    it('asks which of two policies and of two devices is meant, and keeps the rest', async () => {
      const twin = { ...smb, id: policyId(2_999) };
      const both = { ...content(documented), policies: [smb, twin] };
      expect(await planned(command, 'web-01 policy:"Disable SMBv1" because x', both)).toMatchObject({
        view: {
          kind: 'choices',
          rows: [
            { choice: { command: kind, input: { device: 'web-01', policy: 2_103, reason: 'x' } } },
            { choice: { command: kind, input: { policy: 2_999 } } },
          ],
        },
      });
      const devices = [documented, { ...documented, id: deviceId(9) }];
      expect(
        await planned(command, 'web-01 policy:#2103', { ...content(documented), devices }),
      ).toMatchObject({
        view: {
          kind: 'picker',
          choices: [
            { command: kind, input: { device: 9, policy: 2_103 } },
            { command: kind, input: { device: 1001, policy: 2_103 } },
          ],
        },
      });
    });

    it('refuses a policy that is none of the device’s, and says which would do', async () => {
      const words = await refusalOf(command, 'web-01 policy:"Kiosk mode"');
      expect(words).toContain('doesn’t list Kiosk mode (policy 2105) among the policies of web-01');
      expect(words).toMatch(/These policies can be \w+ on web-01\./);
      expect(words).not.toContain('Nothing was changed');
      expect(words).not.toContain('Kiosk mode.');
    });

    it('offers each policy that would work, with the whole request', async () => {
      expect(await planned(command, 'web-01 policy:"Kiosk mode" because audit')).toMatchObject({
        problem: {
          offers: expect.arrayContaining([
            {
              ...{ kind: 'named', what: 'policy', name: 'Disable SMBv1', id: 2_103, detail: 'custom' },
              choice: { command: kind, input: { device: 1001, policy: 2_103, reason: 'audit' } },
            },
          ]),
        },
      });
    });

    it.each(['"Apply All Patches"', 'Odd'])(
      'refuses the policy %s, whose kind does not allow it',
      async (name) => {
        expect(await refusalOf(command, `web-01 policy:${name}`)).toMatch(
          /^Only Worklets (?!.*Nothing was changed)/,
        );
      },
    );

    it('takes the policies of the group where the device names none yet', async () => {
      const fresh = content(aDevice());
      const expected = { kind: 'proposal' };
      expect(await planned(command, 'web-01 policy:"Disable SMBv1"', fresh)).toMatchObject(expected);
      expect(await refusalOf(command, 'web-01 policy:"Kiosk mode"', fresh)).toContain(
        'among the policies of',
      );
    });

    it('proposes nothing that already waits in the queue', async () => {
      const type = kind === 'policy-test' ? 'policy_2103_test' : 'policy_2103_remediate';
      const queue = [aQueueEntry({ type })];
      expect(await planned(command, 'web-01 policy:#2103', { ...content(documented), queue })).toMatchObject({
        problem: { kind: 'already-queued', command: { kind, policyId: 2_103 } },
      });
    });
  });

  describe('required software', () => {
    it('is remediated, but not tested, because the interface has no test of it', async () => {
      expect(await planned(policyRemediateCommand, 'web-01 policy:"Require VPN"')).toMatchObject({
        proposal: {
          command: { kind: 'policy-remediate', policyId: 2_104 },
          targets: [{ policy: { digest: 'decade' } }],
        },
      });
      expect(await refusalOf(policyTestCommand, 'web-01 policy:"Require VPN"')).toMatch(
        /^Only Worklets can be tested on a device: Require VPN \(policy 2104\) is required software\..*These policies can be tested on web-01\./,
      );
    });
  });
});
