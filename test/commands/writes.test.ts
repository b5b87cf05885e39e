import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WriteCommand } from '../../src/commands/core/command.ts';
import { patchCommand } from '../../src/commands/patch.ts';
import { rebootCommand, scanCommand } from '../../src/commands/scan-and-reboot.ts';
import { FleetFailure } from '../../src/fleet/fleet.ts';
import { SEVERITIES } from '../../src/fleet/model/derived-fields.ts';
import type { Package } from '../../src/fleet/model/resources.ts';
import { encodeCommand } from '../../src/fleet/queue-entries.ts';
import { later } from '../../src/lib/clock.ts';
import { deviceId } from '../../src/lib/ids.ts';
import { fingerprint, seal } from '../../src/requests/decide/seal.ts';
import { problemText } from '../../src/views/problems/problem-text.ts';
import { aDevice, aGroup, aPackage, aQueueEntry, aResponse, START } from '../harness/builders.ts';
import { property } from '../harness/property.ts';
import { someFacts } from '../harness/records.ts';
import { BROKEN, type FakeFleetContent } from './harness/fake-fleet.ts';
import { testPorts } from './harness/ports.ts';
import { inputOf, parse } from './harness/typed-line.ts';

const content: FakeFleetContent = {
  devices: [
    aDevice(),
    aDevice({ id: deviceId(3), name: 'dup-01' }),
    aDevice({ id: deviceId(4), name: 'dup-01' }),
  ],
  groups: [aGroup()],
  packages: [
    aPackage({ name: 'openssl', displayName: 'OpenSSL' }),
    aPackage({ id: 2, name: 'KB100', displayName: 'Cumulative Update' }),
    aPackage({ id: 3, name: 'KB200', displayName: 'Twin' }),
    aPackage({ id: 4, name: 'KB300', displayName: 'Twin' }),
    aPackage({ id: 5, name: 'zlib:amd64', displayName: 'zlib' }),
    aPackage({ id: 6, name: 'Bad Name', displayName: 'Odd one' }),
    aPackage({ id: 7, name: 'curl', displayName: 'curl', installed: true }),
    aPackage({ id: 8, name: 'vim', displayName: 'Vim', ignored: true }),
    aPackage({ id: 9, name: 'nano', displayName: 'Nano', deferredUntil: later(START, 1) }),
  ],
};
const MISSING_NAMES = ['Bad Name', 'KB100', 'KB200', 'KB300', 'openssl', 'zlib:amd64'];

function plan(command: WriteCommand, text: string, more: FakeFleetContent = {}) {
  return command.plan(inputOf(command, text), testPorts({ ...content, ...more }).ports);
}

const simple = [
  ['scan', scanCommand, { kind: 'scan' }, 'GetOS'],
  ['reboot', rebootCommand, { kind: 'reboot' }, 'Reboot'],
  ['patch', patchCommand, { kind: 'patch-all' }, 'InstallAllUpdates'],
] as const;

describe.each(simple)('%s', (name, write, command, wireType) => {
  const missing = name === 'patch' ? MISSING_NAMES : [];

  it('proposes the command with the facts of the device, read fresh', async () => {
    const planned = await plan(write, 'web-01 because kernel update');
    const facts = {
      ...someFacts(),
      tags: ['web'],
      packages: missing.map((name) => expect.objectContaining({ name })),
    };
    const proposal = { command, targets: [facts], reason: 'kernel update' };
    expect(planned).toEqual({ kind: 'proposal', proposal });
  });

  it('proposes without a reason where none was given', async () => {
    expect(await plan(write, '#1001')).toMatchObject({ kind: 'proposal', proposal: { reason: null } });
  });

  it('takes digits that name no device for an id', async () => {
    const proposal = { targets: [{ deviceId: 1001 }] };
    expect(await plan(write, '1001')).toMatchObject({ kind: 'proposal', proposal });
    const problem = { kind: 'no-such-device', query: '1002', nearest: [] };
    expect(await plan(write, '1002')).toEqual({ kind: 'problem', problem });
    const devices = [aDevice(), aDevice({ id: deviceId(5), name: '1001' })];
    const expected = { proposal: { targets: [{ deviceId: 5 }] } };
    expect(await plan(write, '1001', { devices })).toMatchObject(expected);
  });

  it('takes a device by id and a reason from a button', async () => {
    const input = { device: 1001, packages: [], reason: 'Retry after: x' };
    const proposal = { targets: [{ deviceId: 1001 }], reason: 'Retry after: x' };
    expect(await write.plan(input, testPorts(content).ports)).toMatchObject({ kind: 'proposal', proposal });
  });

  it('proposes nothing that already waits in the queue', async () => {
    const queue = [aQueueEntry({ type: wireType })];
    expect(await plan(write, 'web-01', { queue })).toEqual({
      kind: 'problem',
      problem: { kind: 'already-queued', command, deviceName: 'web-01', since: aQueueEntry().execTime },
    });
  });

  it.each([
    ['has an empty answer, which is an answer', aQueueEntry({ type: wireType, response: aResponse() })],
    ['was answered', aQueueEntry({ type: wireType, response: aResponse(0), responseTime: START })],
    ['is another command', aQueueEntry({ type: 'GetHostname' })],
    ['has no name', aQueueEntry({ type: '' })],
  ])('is not held up by an entry that %s', async (_what, entry) => {
    expect(await plan(write, 'web-01', { queue: [entry] })).toMatchObject({ kind: 'proposal' });
  });

  it('shows a picker that keeps the reason', async () => {
    expect(await plan(write, 'dup-01 because x')).toMatchObject({
      kind: 'view',
      view: {
        kind: 'picker',
        choices: [
          { command: name, input: { device: 3, reason: 'x' } },
          { command: name, input: { device: 4, reason: 'x' } },
        ],
      },
    });
  });

  it('names the nearest of an unknown device', async () => {
    const problem = { kind: 'no-such-device', query: 'web-02', nearest: ['web-01'] };
    expect(await plan(write, 'web-02')).toMatchObject({ kind: 'problem', problem });
  });

  it('says that a device is gone', async () => {
    const problem = { kind: 'device-gone', query: 'web-01' };
    expect(await plan(write, 'web-01', { gone: [deviceId(1001)] })).toEqual({ kind: 'problem', problem });
  });

  it('leaves other failures of the service to the flow', async () => {
    const { ports, fleet } = testPorts(content);
    fleet.failWith(BROKEN);
    await expect(write.plan({ device: 1001, packages: [], reason: null }, ports)).rejects.toThrow(
      FleetFailure,
    );
  });

  it.each([
    ['no device', '', { kind: 'missing', what: 'Which device?' }],
    [
      'because without a reason',
      'web-01 because',
      { kind: 'missing', what: 'Enter a reason after “because”.' },
    ],
    ['a flag', 'web-01 --force', { kind: 'unknown-word', word: '--force', nearest: [] }],
    [
      'a flag for a word',
      'web-01 --because',
      { kind: 'unknown-word', word: '--because', nearest: ['because'] },
    ],
  ])('refuses %s', (_what, text, fault) => {
    expect(parse(write, text)).toMatchObject({ kind: 'fault', fault });
  });

  it('refuses input from a button that does not fit', async () => {
    const expected = { kind: 'problem', problem: { kind: 'usage', command: name } };
    expect(await write.plan({ device: null }, testPorts(content).ports)).toMatchObject(expected);
  });
});

describe('patch: packages', () => {
  it.each([
    ['by machine name', 'web-01 openssl', ['openssl']],
    ['whatever the case', 'web-01 OPENSSL', ['openssl']],
    ['by the name for people', 'web-01 "cumulative update"', ['KB100']],
    ['with a colon in the name', 'web-01 zlib:amd64', ['zlib:amd64']],
    ['several, each once, in one order', 'web-01 openssl KB100 openssl', ['KB100', 'openssl']],
  ])('proposes packages named %s', async (_what, text, packages) => {
    expect(await plan(patchCommand, text)).toMatchObject({
      kind: 'proposal',
      proposal: {
        command: { kind: 'patch', packages },
        targets: [{ packages: packages.map((name) => ({ name })) }],
      },
    });
  });

  it.each([
    ['unknown, with the nearest, each package once', 'opnssl', ['openssl']],
    ['unknown, by the nearer of its names', '"cumulative updates"', ['Cumulative Update']],
    ['unknown, with every package that is near', 'KB10', ['KB100']],
    ['ignored', 'vim', []],
    ['deferred', 'nano', []],
  ])('refuses a package that is %s', async (_what, query, nearest) => {
    const problem = { kind: 'no-such-package', deviceName: 'web-01', nearest };
    expect(await plan(patchCommand, `web-01 ${query}`)).toMatchObject({ kind: 'problem', problem });
  });

  it('offers the nearest package as the whole line, which opens the form', async () => {
    const choice = { command: 'patch', input: { device: 'web-01', packages: ['openssl'] } };
    const offers = [{ line: '/fleet patch web-01 openssl', does: 'form', choice }];
    expect(await plan(patchCommand, 'web-01 opnssl')).toMatchObject({ problem: { offers } });
  });

  it.each([
    ['while others are missing', content.packages],
    ['while nothing is missing', [aPackage({ name: 'curl', displayName: 'curl', installed: true })]],
  ])('says that a package is installed already, %s', async (_what, packages = []) => {
    const problem = { kind: 'already-installed', name: 'curl', deviceName: 'web-01' };
    expect(await plan(patchCommand, 'web-01 Curl', { packages })).toEqual({ kind: 'problem', problem });
  });

  it('proposes the newer version of a package that is installed', async () => {
    const packages = [aPackage({ version: '1', installed: true }), aPackage({ id: 2, version: '2' })];
    expect(await plan(patchCommand, 'web-01 openssl', { packages })).toMatchObject({ kind: 'proposal' });
  });

  it('does not guess between packages of one display name', async () => {
    const problem = { kind: 'several-packages', query: 'Twin', names: ['KB200', 'KB300'] };
    expect(await plan(patchCommand, 'web-01 Twin')).toMatchObject({ kind: 'problem', problem });
  });

  it('refuses a machine name with a space, which the queue could not carry', async () => {
    const problem = { kind: 'unsendable-package', name: 'Bad Name' };
    expect(await plan(patchCommand, 'web-01 "Odd one"')).toEqual({ kind: 'problem', problem });
  });

  it('says that nothing is known where no package is listed', async () => {
    const problem = { kind: 'nothing-to-install', deviceName: 'web-01', unlisted: true };
    expect(await plan(patchCommand, 'web-01', { packages: [] })).toEqual({ kind: 'problem', problem });
  });

  it('says so when nothing is missing', async () => {
    expect(await plan(patchCommand, 'web-01', { packages: [aPackage({ installed: true })] })).toEqual({
      kind: 'problem',
      problem: { kind: 'nothing-to-install', deviceName: 'web-01' },
    });
  });

  it.each([
    ['the same packages in another order', 'KB100 openssl', 'problem'],
    ['fewer packages', 'openssl', 'proposal'],
    ['more packages', 'openssl KB100 zlib:amd64', 'proposal'],
  ])('compares what waits in the queue: %s', async (_what, packages, kind) => {
    const queue = [aQueueEntry({ type: 'InstallUpdate', args: 'openssl KB100' })];
    expect(await plan(patchCommand, `web-01 ${packages}`, { queue })).toMatchObject({ kind });
  });
});

describe('patches that are chosen', () => {
  const list = [
    aPackage({ id: 1, name: 'openssl', displayName: 'OpenSSL', severity: 'critical' }),
    aPackage({ id: 2, name: 'curl', displayName: 'curl', severity: 'High' }),
    aPackage({ id: 3, name: 'vim', displayName: 'Vim', severity: 'low' }),
    aPackage({ id: 4, name: 'nano', displayName: 'Nano', severity: null }),
    aPackage({ id: 5, name: 'held', displayName: 'Held', severity: 'critical', ignored: true }),
    aPackage({ id: 6, name: 'there', displayName: 'There', severity: 'critical', installed: true }),
  ];

  const planned = (text: string, packages: readonly Package[] = list) =>
    patchCommand.plan(inputOf(patchCommand, text), testPorts({ devices: [aDevice()], packages }).ports);
  async function refusalOf(text: string, packages?: readonly Package[]): Promise<string> {
    const plan = await planned(text, packages);
    if (plan.kind !== 'problem') throw new Error(plan.kind);
    const { what, changed, next } = problemText(plan.problem, '/fleet');
    return [what, changed, next].filter((part) => part !== '').join(' ');
  }

  describe('patch by severity', () => {
    it.each([
      ['severity:critical', ['openssl']],
      ['severity:high', ['curl']],
      ['severity:critical,high', ['curl', 'openssl']],
      ['severity:Critical severity:low', ['openssl', 'vim']],
      ['severity:critical nano', ['nano', 'openssl']],
      ['severity:critical openssl', ['openssl']],
    ])('names for “%s” the packages that are missing now, and seals them', async (words, names) => {
      expect(await planned(`web-01 ${words} because CVE list`)).toMatchObject({
        kind: 'proposal',
        proposal: {
          command: { kind: 'patch', packages: names },
          targets: [{ packages: names.map((name) => ({ name })) }],
          reason: 'CVE list',
        },
      });
    });

    it.each([
      ['severity:critical,high', { severities: ['critical', 'high'], named: [] }],
      ['severity:critical nano', { severities: ['critical'], named: ['nano'] }],
      ['nano', undefined],
    ])(
      'keeps for “%s” how the packages were chosen, which is no part of what is sealed',
      async (words, chosen) => {
        const plan = await planned(`web-01 ${words}`);
        if (plan.kind !== 'proposal' || plan.proposal.command.kind !== 'patch') throw new Error(plan.kind);
        const { targets, command: action } = plan.proposal;
        const { chosen: how, ...unchosen } = plan.proposal.command;
        expect(how).toEqual(chosen);
        expect(seal({ action, targets })).toBe(seal({ action: unchosen, targets }));
        expect(fingerprint({ action, targets })).toBe(fingerprint({ action: unchosen, targets }));
      },
    );

    it('says what there is where nothing has the severity', async () => {
      expect(await refusalOf('web-01 severity:medium')).toBe(
        'web-01 has no missing patches with severity medium. Missing: 1 critical, 1 High, 1 low, 1 without severity.\nName packages, or leave the severity out to request all missing patches.',
      );
    });

    it('says that the service states no severity, where it states none', async () => {
      const bare = list.map((item) => ({ ...item, severity: null }));
      expect(await refusalOf('web-01 severity:critical', bare)).toContain(
        'The management service gives no severity for these packages.',
      );
    });

    it('says that nothing is missing, where that is so', async () => {
      const none = list.map((item) => ({ ...item, installed: true }));
      expect(await refusalOf('web-01 severity:critical', none)).toMatch(/^web-01 has no missing patches/);
    });

    it('refuses a package whose name the queue cannot carry, before anybody is asked', async () => {
      const odd = [...list, aPackage({ id: 9, name: 'Odd Name', severity: 'critical' })];
      expect(await refusalOf('web-01 severity:critical', odd)).toMatch(
        /`Odd Name` can’t be installed by itself/,
      );
      expect(await planned('web-01 severity:high', odd)).toMatchObject({ kind: 'proposal' });
    });

    it.each([
      ['web-01 severity:hihg', ['severity:high']],
      ['web-01 -severity:low', []],
      ['web-01 severity:', []],
      ['web-01 severity:critical,', []],
    ])('names “%s” back', (text, nearest) => {
      const fault = { kind: 'unknown-word', nearest: nearest.length === 0 ? expect.any(Array) : nearest };
      expect(parse(patchCommand, text)).toMatchObject({ kind: 'fault', fault });
    });

    it('keeps the severities in the picker', async () => {
      const { ports } = testPorts({ devices: [aDevice(), aDevice({ id: aDevice().id })], packages: list });
      const input = inputOf(patchCommand, '#1001 severity:low');
      expect(input).toMatchObject({ severities: ['low'] });
      const expected = { proposal: { command: { packages: ['vim'] } } };
      expect(await patchCommand.plan(input, ports)).toMatchObject(expected);
    });

    const anyPackages = fc.array(
      fc.record({
        name: fc.constantFrom('a', 'b', 'c d', 'e', 'f"', ''),
        severity: fc.constantFrom(...SEVERITIES, 'no_known_cves', 'other', null),
        installed: fc.boolean(),
        ignored: fc.boolean(),
      }),
      { maxLength: 8 },
    );
    property([anyPackages, fc.constantFrom(...SEVERITIES)], { numRuns: 100 })(
      'never asks for what is not missing, not of the severity, or not sendable',
      async (rows, severity) => {
        const packages = rows.map((row, at) => aPackage({ id: at + 1, displayName: 'x', ...row }));
        const plan = await planned(`web-01 severity:${severity}`, packages);
        if (plan.kind !== 'proposal') return;
        const { command } = plan.proposal;
        if (command.kind !== 'patch') throw new Error(command.kind);
        const wanted = packages.filter(
          (item) => !item.installed && !item.ignored && item.severity === severity,
        );
        expect(new Set(command.packages)).toEqual(new Set(wanted.map(({ name }) => name)));
        expect(encodeCommand(command).kind).toBe('encoded');
      },
    );
  });
});
