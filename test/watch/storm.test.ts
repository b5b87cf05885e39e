import { describe, expect, it } from 'vitest';
import { deviceId, policyId } from '../../src/ids.ts';
import type { AlertRecord } from '../../src/store/records.ts';
import { stormKey } from '../../src/watch/storm.ts';
import { anAlert } from '../harness/records.ts';

const keyOf = (given: Partial<AlertRecord>) => stormKey(anAlert(given));
const two = [
  { name: 'openssl', displayName: null },
  { name: 'curl', displayName: null },
];

describe('what stands on one card', () => {
  it.each<[string, Partial<AlertRecord>, Partial<AlertRecord>]>([
    ['another device', {}, { deviceId: deviceId(2), deviceName: 'web-02' }],
    ['other letters and spaces in the reason', { reason: 'Disk full' }, { reason: 'disk  full ' }],
    ['another order of patches', { packages: two }, { packages: two.toReversed() }],
    ['another display name', {}, { packages: [{ name: 'openssl', displayName: 'Open SSL' }] }],
    [
      'another output of the same policy’s script',
      { kind: 'policy-failed', policyId: policyId(1), exitCode: 1, reason: 'web-01 failed' },
      { kind: 'policy-failed', policyId: policyId(1), exitCode: 1, reason: 'web-02 failed' },
    ],
    ['another policy that installs the patch', { policyId: policyId(1) }, { policyId: policyId(2) }],
  ])('is the same with %s', (_, one, other) => {
    expect(keyOf(one)).not.toBeNull();
    expect(keyOf(one)).toBe(keyOf(other));
  });

  it.each<[string, Partial<AlertRecord>, Partial<AlertRecord>]>([
    ['reason', { reason: 'exit code 1' }, { reason: 'exit code 100' }],
    ['patch', {}, { packages: [{ name: 'curl', displayName: null }] }],
    ['kind', {}, { kind: 'patch-installed' }],
    [
      'policy',
      { kind: 'policy-failed', policyId: policyId(1) },
      { kind: 'policy-failed', policyId: policyId(2) },
    ],
    [
      'exit code of the policy',
      { kind: 'policy-failed', policyId: policyId(1), exitCode: 1 },
      { kind: 'policy-failed', policyId: policyId(1), exitCode: 2 },
    ],
  ])('is another with another %s', (_, one, other) => {
    expect(keyOf(one)).not.toBe(keyOf(other));
  });

  it.each<[string, Partial<AlertRecord>]>([
    ['a new device', { kind: 'device-added' }],
    ['a failure that names no patch', { packages: [] }],
    ['a failure of no policy', { kind: 'policy-failed' }],
    ['a run of no policy', { kind: 'policy-run' }],
  ])('%s stands alone', (_, given) => {
    expect(keyOf(given)).toBeNull();
  });
});
