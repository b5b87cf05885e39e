import { describe, expect, it } from 'vitest';
import type { WriteCommand } from '../../src/commands/core/command.ts';
import { patchCommand } from '../../src/commands/patch.ts';
import { rebootCommand, scanCommand } from '../../src/commands/scan-and-reboot.ts';
import { FleetFailure } from '../../src/fleet/fleet.ts';
import { later } from '../../src/lib/clock.ts';
import { deviceId } from '../../src/lib/ids.ts';
import { aDevice, aGroup, aPackage, aQueueEntry, aResponse, START } from '../harness/builders.ts';
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
    const facts = { ...someFacts(), packages: missing.map((name) => expect.objectContaining({ name })) };
    expect(planned).toEqual({
      kind: 'proposal',
      proposal: { command, targets: [facts], reason: 'kernel update' },
    });
  });

  it('proposes without a reason where none was given', async () => {
    expect(await plan(write, '#1001')).toMatchObject({ kind: 'proposal', proposal: { reason: null } });
  });

  it('takes digits that name no device for an id', async () => {
    expect(await plan(write, '1001')).toMatchObject({
      kind: 'proposal',
      proposal: { targets: [{ deviceId: 1001 }] },
    });
    expect(await plan(write, '1002')).toEqual({
      kind: 'problem',
      problem: { kind: 'no-such-device', query: '1002', nearest: [] },
    });
    const devices = [aDevice(), aDevice({ id: deviceId(5), name: '1001' })];
    expect(await plan(write, '1001', { devices })).toMatchObject({
      proposal: { targets: [{ deviceId: 5 }] },
    });
  });

  it('takes a device by id and a reason from a button', async () => {
    const input = { device: 1001, packages: [], reason: 'Retry after: x' };
    expect(await write.plan(input, testPorts(content).ports)).toMatchObject({
      kind: 'proposal',
      proposal: { targets: [{ deviceId: 1001 }], reason: 'Retry after: x' },
    });
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
    expect(await plan(write, 'web-02')).toMatchObject({
      kind: 'problem',
      problem: { kind: 'no-such-device', query: 'web-02', nearest: ['web-01'] },
    });
  });

  it('says that a device is gone', async () => {
    expect(await plan(write, 'web-01', { gone: [deviceId(1001)] })).toEqual({
      kind: 'problem',
      problem: { kind: 'device-gone', query: 'web-01' },
    });
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
    expect(await write.plan({ device: null }, testPorts(content).ports)).toMatchObject({
      kind: 'problem',
      problem: { kind: 'usage', command: name },
    });
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
    expect(await plan(patchCommand, `web-01 ${query}`)).toMatchObject({
      kind: 'problem',
      problem: { kind: 'no-such-package', deviceName: 'web-01', nearest },
    });
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
    expect(await plan(patchCommand, 'web-01 Curl', { packages })).toEqual({
      kind: 'problem',
      problem: { kind: 'already-installed', name: 'curl', deviceName: 'web-01' },
    });
  });

  it('proposes the newer version of a package that is installed', async () => {
    const packages = [aPackage({ version: '1', installed: true }), aPackage({ id: 2, version: '2' })];
    expect(await plan(patchCommand, 'web-01 openssl', { packages })).toMatchObject({ kind: 'proposal' });
  });

  it('does not guess between packages of one display name', async () => {
    expect(await plan(patchCommand, 'web-01 Twin')).toMatchObject({
      kind: 'problem',
      problem: { kind: 'several-packages', query: 'Twin', names: ['KB200', 'KB300'] },
    });
  });

  it('refuses a machine name with a space, which the queue could not carry', async () => {
    expect(await plan(patchCommand, 'web-01 "Odd one"')).toEqual({
      kind: 'problem',
      problem: { kind: 'unsendable-package', name: 'Bad Name' },
    });
  });

  it('says that nothing is known where no package is listed', async () => {
    expect(await plan(patchCommand, 'web-01', { packages: [] })).toEqual({
      kind: 'problem',
      problem: { kind: 'nothing-to-install', deviceName: 'web-01', unlisted: true },
    });
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
