import { describe, expect, it } from 'vitest';
import { type Drift, driftSchema, type Evidence } from '../../../../src/store/port/evidence.ts';
import { driftedText, driftText } from '../../../../src/views/requests/evidence.ts';
import { AT, DRAWN } from './rows.ts';

const name = 'web-01';
type Changed = Extract<Drift, { kind: 'changed' }>;
const changed = (
  field: string,
  was: Changed['was'],
  now: Changed['now'],
  item: string | null = null,
): Changed => ({ kind: 'changed', name, field, item, was, now });
const listed = (field: string, added: readonly string[], removed: readonly string[]): Drift => ({
  kind: 'listed',
  name,
  field,
  added,
  removed,
});

const SENTENCES: readonly (readonly [Drift, string])[] = [
  [{ kind: 'gone', name }, 'web-01 no longer exists in the management service'],
  [
    { kind: 'other-machine', name },
    'web-01 is now another machine: its serial number, UUID or creation time is different',
  ],
  [
    { kind: 'policy-hidden', policy: 'Harden SSH' },
    'the management service doesn’t show the configuration of “Harden SSH”',
  ],
  [
    { kind: 'policy-hidden', policy: null },
    'the management service doesn’t show the configuration of the policy',
  ],
  [changed('hostname', name, 'db-01'), 'the hostname of web-01 changed from “web-01” to “db-01”'],
  [changed('displayName', name, 'shop'), 'web-01 is now named “shop”'],
  [changed('osVersion', '22.04', '24.04'), 'the system version of web-01 changed from “22.04” to “24.04”'],
  [
    changed('groupId', 'Servers (#9)', 'Databases (#10)'),
    'the group of web-01 changed from “Servers (#9)” to “Databases (#10)”',
  ],
  [changed('connected', true, false), 'web-01 is now offline (was online)'],
  [changed('connected', false, true), 'web-01 is now online (was offline)'],
  [changed('connected', '', true), 'web-01 is now online (was unknown)'],
  [changed('connected', true, ''), 'it is no longer known whether web-01 is online (was online)'],
  [changed('lastLoggedInUser', null, null), 'the last logged-in user of web-01 changed'],
  [changed('needsReboot', true, false), 'web-01 no longer requires a reboot'],
  [changed('lastDisconnectTime', '', AT), `web-01 disconnected ${DRAWN} and is back online`],
  [changed('policy.status', 0, 1), 'web-01 now is up to date for the policy'],
  [changed('policy.status', 1, 0), 'web-01 now needs remediation for the policy'],
  [
    changed('policy.status', 1, ''),
    'the management service no longer reports the policy’s result for web-01',
  ],
  [changed('policy.digest', null, null), 'the configuration or schedule of web-01 changed'],
  [changed('policy.type', 'custom', 'patch'), 'the type of web-01 changed from “custom” to “patch”'],
  [changed('devices', 1, 34), 'the number of devices of web-01 changed from 1 to 34'],
  [changed('devices', 1, ''), 'the number of devices of web-01 changed from 1 to not stated'],
  [changed('current.schedule.time', '02:00', '04:00'), 'the time of web-01 changed from “02:00” to “04:00”'],
  [
    changed('current.settings.autoReboot', false, true),
    'the automatic reboot of web-01 changed from no to yes',
  ],
  [changed('group.wsus.managed', null, null), 'the source of Windows updates of web-01 changed'],
  [changed('a.new.one', null, null), 'the details of web-01 changed'],
  [
    changed('packages.version', '8.1', '8.2', 'curl'),
    'for web-01, the version of curl changed from “8.1” to “8.2”',
  ],
  [
    changed('packages.requiresReboot', false, true, 'curl'),
    'for web-01, the need for a reboot of curl changed from no to yes',
  ],
  [
    changed('editable.policies.digest', null, null, 'Harden SSH (#12)'),
    'for web-01, the configuration or schedule of Harden SSH (#12) changed',
  ],
  [listed('packages', ['openssl'], []), 'the missing packages of web-01 now also include openssl'],
  [
    listed('packages', ['a', 'b', 'c', 'd', 'e', 'f', 'g'], ['curl', 'openssl']),
    'the missing packages of web-01 now also include a, b, c, d, e and 2 more and no longer include curl and openssl',
  ],
  [
    listed('editable.policies', [], ['Harden SSH (#12)']),
    'the new policies of web-01 no longer include Harden SSH (#12)',
  ],
  [
    listed('removal.policiesAfter', ['Wipe (#3)'], []),
    'the policies after the removal of web-01 now also include Wipe (#3)',
  ],
  [
    listed('removal.queued', ['Reboot', 'GetOS'], []),
    'the waiting commands of web-01 now also include Reboot and GetOS',
  ],
  [
    listed('removal.devices.listed', ['kiosk-07 (#7)'], []),
    'the devices of web-01 now also include kiosk-07 (#7)',
  ],
];

describe('what changed since a request, in words', () => {
  it.each(SENTENCES.map(([drift, words]) => ({ drift, words })))('$words', ({ drift, words }) => {
    expect(driftText(drift)).toBe(words);
  });

  it('has a clause for every kind', () => {
    const kinds = driftSchema.options.map(({ shape }) => shape.kind.value);
    expect(new Set(SENTENCES.map(([{ kind }]) => kind))).toEqual(new Set(kinds));
  });

  type Drifted = Extract<Evidence, { kind: 'drifted' }>;
  const drifted = (more: Partial<Drifted>): string =>
    driftedText({ kind: 'drifted', subject: 'device', changes: [], more: 0, ...more });
  const offline: Drift = changed('connected', true, false);

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
    expect(drifted({ changes: [offline, changed('needsReboot', true, false)], more })).toBe(
      `The device changed since the request — web-01 is now offline (was online); web-01 no longer requires a reboot; ${words}.`,
    );
  });
});
