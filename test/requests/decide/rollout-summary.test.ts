import { describe, expect, it } from 'vitest';
import type { PackageFacts } from '../../../src/fleet/facts/facts.ts';
import { instant } from '../../../src/lib/clock.ts';
import { deviceId, groupId } from '../../../src/lib/ids.ts';
import { summarizeTargets } from '../../../src/requests/decide/record-request.ts';
import { topCounts } from '../../../src/rollout/summary.ts';
import { START } from '../../harness/builders.ts';
import { someFacts } from '../../harness/records.ts';

const NOW = instant(START + 60_000);

const aPackageFact = (name: string, over: Partial<PackageFacts> = {}): PackageFacts => ({
  name,
  version: '8.1',
  severity: 'high',
  cves: [],
  requiresReboot: false,
  ...over,
});

describe('the summary of a rollout', () => {
  it('counts what an approver should notice', () => {
    const quiet = { lastLoggedInUser: null, needsReboot: false, groupName: 'Laptops' } as const;
    const facts = [
      someFacts({ ...quiet, connected: false, exception: true, deferred: true }),
      someFacts({ ...quiet, connected: null, needsReboot: null, lastLoggedInUser: '' }),
      someFacts({ ...quiet, osFamily: 'Windows', osName: 'Server 2022 Standard', osVersion: null }),
      someFacts({ ...quiet, lastLoggedInUser: 'deploy', needsReboot: true }),
    ];
    expect(summarizeTargets(facts, NOW)).toMatchObject({
      frozenAt: START,
      offline: 1,
      loggedIn: 1,
      deferred: 1,
      excluded: 1,
      rebootPending: 1,
      servers: 1,
      groups: { top: [{ name: 'Laptops', devices: 4 }], more: 0 },
      systems: {
        top: [
          { name: 'Ubuntu 24.04', devices: 3 },
          { name: 'Windows Server 2022 Standard', devices: 1 },
        ],
      },
    });
  });

  it.each([
    [1, { osName: 'Server 2022 Standard' }],
    [1, { osName: 'SUSE Linux Enterprise Server' }],
    [1, { osName: 'Ubuntu', groupName: 'Linux servers' }],
    [1, { osName: null, groupName: 'SERVER ROOM' }],
    [0, { osName: 'Ubuntu', groupName: 'Serverless' }],
    [0, { osName: 'Red Hat Enterprise Linux', groupName: null }],
  ])('counts %d with the word server: %o', (servers, names) => {
    expect(summarizeTargets([someFacts({ groupName: null, ...names })], NOW)).toMatchObject({ servers });
  });

  it('cuts no character of a long name in half', () => {
    const facts = [someFacts({ groupName: `${'x'.repeat(79)}😀y` })];
    const [group] = summarizeTargets(facts, NOW).groups.top;
    expect(group?.name).toBe(`${'x'.repeat(79)}…`);
  });

  it('counts the devices of a package once each, and names a group by its id where it has no name', () => {
    const known = ['curl', 'curl', 'nano'].map((item) => aPackageFact(item));
    const unnamed = someFacts({ groupName: null, groupId: groupId(7), packages: known });
    const { groups, packages } = summarizeTargets(
      [unnamed, someFacts({ packages: [aPackageFact('curl')] })],
      NOW,
    );
    expect(groups.top).toContainEqual({ name: '#7', devices: 1 });
    expect(packages.top).toEqual([
      { name: 'curl 8.1', devices: 2 },
      { name: 'nano 8.1', devices: 1 },
    ]);
  });

  it('counts the packages that need a restart, their severities and their CVEs', () => {
    const facts = [['linux', 'openssl'], ['linux'], []].map((names) =>
      someFacts({
        packages: ['linux', 'openssl', 'nano'].map((item) =>
          aPackageFact(item, {
            requiresReboot: names.includes(item),
            severity: item === 'nano' ? null : names.includes('openssl') ? 'critical' : 'no_known_cves',
            cves: item === 'nano' ? [] : [`CVE-2026-${item.length}`, 'CVE-2026-1'],
          }),
        ),
      }),
    );
    const { rebootFor, severities, cves } = summarizeTargets(facts, NOW);
    expect(rebootFor.top).toEqual([
      { name: 'linux', devices: 2 },
      { name: 'openssl', devices: 1 },
    ]);
    // Worst first, however few.
    expect(severities.top).toEqual([
      { name: 'critical', devices: 1 },
      { name: 'no_known_cves', devices: 2 },
      { name: null, devices: 3 },
    ]);
    expect(cves.top).toEqual([
      { name: 'CVE-2026-1', devices: 3 },
      { name: 'CVE-2026-5', devices: 3 },
      { name: 'CVE-2026-7', devices: 3 },
    ]);
  });

  it('stays small however many devices and names there are', () => {
    const facts = Array.from({ length: 3_000 }, (_, at) =>
      someFacts({ deviceId: deviceId(at + 1), groupName: `group ${at} ${'x'.repeat(500)}` }),
    );
    const summary = summarizeTargets(facts, NOW);
    expect(summary.groups.more).toBe(2_994);
    expect(JSON.stringify(summary).length).toBeLessThan(2_000);
  });

  it('lists the most common first', () => {
    expect(topCounts(['b', null, 'a', 'b', null, 'b'])).toEqual({
      top: [
        { name: 'b', devices: 3 },
        { name: null, devices: 2 },
        { name: 'a', devices: 1 },
      ],
      more: 0,
    });
  });
});
