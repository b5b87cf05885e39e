import { describe, expect, it } from 'vitest';
import { groupId } from '../../../../src/lib/ids.ts';
import { type Drift, driftSchema, type Evidence } from '../../../../src/store/port/evidence.ts';
import { driftedText, driftText } from '../../../../src/views/requests/evidence/drift-text.ts';
import { AT, DRAWN, policy } from './rows.ts';

const name = 'web-01';
const servers = { id: groupId(9), name: 'Servers' };

const SENTENCES: readonly (readonly [Drift, string])[] = [
  [{ kind: 'gone', name }, 'web-01 no longer exists in the management service'],
  [
    { kind: 'hostname', name, was: 'web-01', now: 'db-01' },
    'the hostname of web-01 is now “db-01” (was “web-01”)',
  ],
  [{ kind: 'renamed', name, now: 'shop' }, 'web-01 is now named “shop”'],
  [
    { kind: 'system', name, was: 'Ubuntu 22.04', now: 'Ubuntu 24.04' },
    'web-01 now runs “Ubuntu 24.04” (was “Ubuntu 22.04”)',
  ],
  [
    { kind: 'group', name, was: servers, now: { id: groupId(10), name: 'Databases' } },
    'web-01 moved from group “Servers” to group “Databases”',
  ],
  [
    { kind: 'group', name, was: servers, now: { id: groupId(10), name: null } },
    'web-01 moved from group “Servers” to group #10',
  ],
  [
    { kind: 'group', name, was: { id: null, name: null }, now: servers },
    'web-01 moved from an unknown group to group “Servers”',
  ],
  [{ kind: 'connection', name, was: true, now: false }, 'web-01 is now offline (was online)'],
  [{ kind: 'connection', name, was: false, now: true }, 'web-01 is now online (was offline)'],
  [{ kind: 'connection', name, was: null, now: true }, 'web-01 is now online (was unknown)'],
  [
    { kind: 'connection', name, was: true, now: null },
    'it is no longer known whether web-01 is online (was online)',
  ],
  [{ kind: 'login', name, who: 'someone-else' }, 'someone else logged in to web-01'],
  [{ kind: 'login', name, who: 'someone' }, 'someone logged in to web-01'],
  [
    { kind: 'login', name, who: 'nobody' },
    'the management service no longer reports who last logged in to web-01',
  ],
  [{ kind: 'reboot-done', name }, 'web-01 no longer requires a reboot'],
  [{ kind: 'restarted', name, left: AT }, `web-01 disconnected ${DRAWN} and is back online`],
  [
    { kind: 'more-missing', name, packages: ['openssl'], requested: false },
    'web-01 is now also missing the package openssl',
  ],
  [
    { kind: 'more-missing', name, packages: ['a', 'b', 'c', 'd', 'e', 'f', 'g'], requested: false },
    'web-01 is now also missing the packages a, b, c, d, e and 2 more',
  ],
  [
    { kind: 'fewer-missing', name, packages: ['openssl'], requested: true },
    'web-01 is no longer missing the requested package openssl',
  ],
  [
    { kind: 'fewer-missing', name, packages: ['curl', 'openssl'], requested: true },
    'web-01 is no longer missing the requested packages curl and openssl',
  ],
  [
    { kind: 'policy-renamed', policy: { ...policy, name: 'Wipe disks' }, was: 'Harden SSH' },
    'policy 12 is now named “Wipe disks” (was “Harden SSH”)',
  ],
  [
    { kind: 'other-machine', name },
    'web-01 is now another machine: its serial number, UUID or creation time is different',
  ],
  [
    { kind: 'package-changed', name, package: 'curl', fact: 'version', was: '8.1', now: '8.2' },
    'the version of “curl” on web-01 changed from “8.1” to “8.2”',
  ],
  [
    { kind: 'package-changed', name, package: 'curl', fact: 'cves', was: '', now: 'CVE-2026-1' },
    'the CVEs of “curl” on web-01 changed from none to “CVE-2026-1”',
  ],
  [
    { kind: 'package-changed', name, package: 'curl', fact: 'requiresReboot', was: 'false', now: 'true' },
    '“curl” on web-01 now requires a reboot',
  ],
  [{ kind: 'policy-applies', policy, applies: true }, 'Harden SSH (policy 12) would now also apply'],
  [{ kind: 'policy-applies', policy, applies: false }, 'Harden SSH (policy 12) would no longer apply'],
  [{ kind: 'device-count', name, was: 1, now: 34 }, 'web-01 would now reach 34 devices (was 1 device)'],
  [{ kind: 'fact', name, field: 'policy.type' }, 'the policy type of web-01 changed'],
  [{ kind: 'fact', name, field: 'current.schedule.time' }, 'the schedule of web-01 changed'],
  [{ kind: 'fact', name, field: 'a.new.one' }, 'a detail of web-01 changed'],
  [
    { kind: 'policy-changed', policy, shown: true },
    'the configuration or schedule of Harden SSH (policy 12) changed',
  ],
  [
    { kind: 'policy-changed', policy, shown: false },
    'the management service doesn’t show the configuration of Harden SSH (policy 12)',
  ],
  [{ kind: 'policy-status', name, policy, status: 1 }, 'web-01 now is up to date for Harden SSH (policy 12)'],
  [
    { kind: 'policy-status', name, policy, status: 0 },
    'web-01 now needs remediation for Harden SSH (policy 12)',
  ],
  [
    { kind: 'policy-status', name, policy, status: null },
    'the management service no longer reports the result of Harden SSH (policy 12) for web-01',
  ],
  [
    { kind: 'more-queued', name, commands: ['Reboot', 'GetOS'] },
    'web-01 has new waiting commands: Reboot and GetOS',
  ],
  [
    { kind: 'more-devices', name: 'Kiosks', devices: ['web-01', 'web-02'], was: 1, now: 3 },
    'web-01 and web-02 joined Kiosks, which now has 3 devices (was 1)',
  ],
  [
    { kind: 'more-devices', name: 'Kiosks', devices: [], was: 900, now: 901 },
    'Kiosks now has 901 devices (was 900)',
  ],
  [{ kind: 'more-subgroups', name: 'Kiosks', groups: ['Shops'] }, 'Kiosks has new subgroups: Shops'],
  [
    { kind: 'field', name, field: 'groupId', was: 'Servers (#9)', now: 'Kiosks (#11)' },
    'group of web-01 changed from “Servers (#9)” to “Kiosks (#11)”',
  ],
  [
    { kind: 'field', name: 'Kiosks', field: 'refreshIntervalMinutes', was: '24 hours', now: '12 hours' },
    'scan interval of Kiosks changed from “24 hours” to “12 hours”',
  ],
  [
    { kind: 'field', name, field: 'tags', was: null, now: 'old' },
    'tags of web-01 changed from nothing to “old”',
  ],
  [
    { kind: 'requested-field', name, field: 'groupId', was: 'Laptops (#10)', now: '#10 (name unknown)' },
    'requested group of web-01 changed from “Laptops (#10)” to “#10 (name unknown)”',
  ],
  [{ kind: 'addresses', name }, 'addresses of web-01 changed'],
];

describe('what changed since a request, in words', () => {
  it.each(SENTENCES.map(([drift, words]) => ({ drift, words })))(
    '$drift.kind: $words',
    ({ drift, words }) => {
      expect(driftText(drift)).toBe(words);
    },
  );

  it('has a clause for every kind', () => {
    const kinds = driftSchema.options.map(({ shape }) => shape.kind.value);
    expect(new Set(SENTENCES.map(([{ kind }]) => kind))).toEqual(new Set(kinds));
  });

  type Drifted = Extract<Evidence, { kind: 'drifted' }>;
  const drifted = (more: Partial<Drifted>): string =>
    driftedText({ kind: 'drifted', subject: 'device', changes: [], more: 0, ...more });
  const offline: Drift = { kind: 'connection', name, was: true, now: false };

  it.each([
    ['device', 'The device'],
    ['devices', 'One or more devices'],
    ['device-or-policy', 'The device or the policy'],
    ['group-or-policy', 'The group or one of its policies'],
  ] as const)('names what may have changed: %s', (subject, words) => {
    expect(drifted({ subject, changes: [offline] })).toBe(
      `${words} changed since the request — web-01 is now offline (was online).`,
    );
  });

  it.each([
    [1, '1 more change'],
    [7, '7 more changes'],
  ])('counts the %s that it does not list', (more, words) => {
    expect(drifted({ changes: [offline, { kind: 'reboot-done', name }], more })).toBe(
      `The device changed since the request — web-01 is now offline (was online); web-01 no longer requires a reboot; ${words}.`,
    );
  });
});
