import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patchCommand } from '../../src/commands/patch.ts';
import { SEVERITIES } from '../../src/fleet/model/derived-fields.ts';
import type { Package } from '../../src/fleet/model/resources.ts';
import { encodeCommand } from '../../src/fleet/queue-entries.ts';
import { fingerprint, seal } from '../../src/requests/decide/seal.ts';
import { problemText } from '../../src/views/problems/problem-text.ts';
import { aDevice, aPackage } from '../harness/builders.ts';
import { testPorts } from './harness/ports.ts';
import { inputOf, parse } from './harness/typed-line.ts';

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
    expect(parse(patchCommand, text)).toMatchObject({
      kind: 'fault',
      fault: { kind: 'unknown-word', nearest: nearest.length === 0 ? expect.any(Array) : nearest },
    });
  });

  it('keeps the severities in the picker', async () => {
    const { ports } = testPorts({ devices: [aDevice(), aDevice({ id: aDevice().id })], packages: list });
    const input = inputOf(patchCommand, '#1001 severity:low');
    expect(input).toMatchObject({ severities: ['low'] });
    expect(await patchCommand.plan(input, ports)).toMatchObject({
      proposal: { command: { packages: ['vim'] } },
    });
  });

  it('never asks for what is not missing, not of the severity, or not sendable', async () => {
    const anyPackages = fc.array(
      fc.record({
        name: fc.constantFrom('a', 'b', 'c d', 'e', 'f"', ''),
        severity: fc.constantFrom(...SEVERITIES, 'no_known_cves', 'other', null),
        installed: fc.boolean(),
        ignored: fc.boolean(),
      }),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(anyPackages, fc.constantFrom(...SEVERITIES), async (rows, severity) => {
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
      }),
      { numRuns: 100 },
    );
  });
});
