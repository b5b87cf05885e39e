/** What the fields of a policy take (§4.10). */
import { expect, it } from 'vitest';
import { policyFieldFaults } from '../../../src/fleet/editor/policy-fields.ts';
import type { PolicyChange, PolicyField } from '../../../src/fleet/model/changes.ts';
import { policyId } from '../../../src/lib/ids.ts';
import { storedThing } from './harness.ts';

it.each<[PolicyChange, PolicyField, string]>([
  [{ name: ' ' }, 'name', 'a name that isn’t blank'],
  [{ days: 256 }, 'days', 'days of the week'],
  [{ days: 3 }, 'days', 'days of the week'],
  [{ weeksOfMonth: 64 }, 'weeksOfMonth', 'weeks of the month'],
  [{ months: -2 }, 'months', 'months of the year'],
  [{ time: '24:00' }, 'time', 'a time such as 02:00'],
  [{ time: '9:00' }, 'time', 'a time such as 02:00'],
  [{ timezone: 'Europe/Berlin' }, 'timezone', 'device, or an offset such as UTC+0100'],
  [{ settings: { timeout: 14 } }, 'timeout', '15 to 480 minutes'],
  [{ settings: { deferrals: -1 } }, 'deferrals', 'a whole number from 0'],
  [{ settings: { patchTextMac: 'x'.repeat(71) } }, 'patchTextMac', 'at most 70 characters'],
  [
    { settings: { deferralHours: [1, 25] } },
    'deferralHours',
    'up to 3 different numbers of hours from 1 to 24',
  ],
])('a policy does not take %j: its %s must be %s; nothing is requested', async (change, field, expected) => {
  expect(policyFieldFaults(change, { policyTimezones: true })).toEqual([{ field, expected }]);
  const { editor, service } = await storedThing({}, { reply: { status: 204 } });
  const fault = { kind: 'policy-field', field };
  const error = { kind: 'invalid', method: 'PUT', status: null, fault };
  expect(await editor.updatePolicy(policyId(9), change)).toMatchObject({ kind: 'refused', error });
  expect(service.requests).toHaveLength(0);
});

it('a service without time zones for policies takes none', () => {
  const change = { timezone: 'UTC+0100' };
  expect(policyFieldFaults(change, { policyTimezones: true })).toEqual([]);
  expect(policyFieldFaults(change, { policyTimezones: false })).toEqual([
    { field: 'timezone', expected: 'no time zone: the management service has none for policies' },
  ]);
});
