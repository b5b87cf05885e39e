import { expect, it } from 'vitest';
import { toDeviceFacts } from '../../../src/fleet/facts/facts.ts';
import { aDevice, START } from '../../harness/builders.ts';
import { someFacts, somePackages } from '../../harness/records.ts';

it('an approver sees the facts of the record and those read in addition', () => {
  const besides = { groupName: 'Linux servers', packages: somePackages('openssl'), asOf: START };
  expect(toDeviceFacts(aDevice(), besides)).toEqual(someFacts({ packages: somePackages('openssl') }));
  expect(toDeviceFacts(aDevice({ customName: 'Front desk' }), besides)).toMatchObject({
    hostname: 'web-01',
    displayName: 'Front desk',
  });
});

it.each([
  [{ exception: true }, { exception: true }],
  [{ deferrals: { ...aDevice().deferrals, patchDeferrals: 2 } }, { deferred: true }],
  [{ deferrals: { ...aDevice().deferrals, rebootDelayedByUser: true } }, { deferred: true }],
])('what is unusual is a fact: %o', (device, fact) => {
  const besides = { groupName: 'Linux servers', packages: [], asOf: START };
  expect(toDeviceFacts(aDevice(device), besides)).toEqual({ ...someFacts(), ...fact });
});
