import { describe, expect, it } from 'vitest';
import { packageReader } from '../../../src/fleet/schema/package.ts';
import { deviceId, organizationId } from '../../../src/lib/ids.ts';
import { recordedRow } from '../fixtures.ts';

const read = packageReader(organizationId(7), deviceId(42));
const packageOf = (row: unknown) => {
  const result = read(row);
  if (result.kind !== 'row') throw new Error(`not read: ${result.kind}`);
  return result.row;
};
const full = recordedRow('packages-2026.json');

describe('a package', () => {
  it('is read as recorded', () => {
    expect(packageOf(full)).toEqual({
      id: 1,
      packageId: 11,
      softwareId: 1111,
      packageVersionId: 111,
      name: '',
      displayName: 'Example App',
      version: '120.0.6099',
      repo: 'vendor',
      osName: 'Windows',
      osVersion: '10',
      osVersionId: 1,
      createTime: Date.UTC(2026, 0, 1),
      installed: true,
      ignored: false,
      ignoredBy: [],
      deferredUntil: null,
      deferredBy: [],
      severity: 'high',
      agentSeverity: null,
      cves: [],
      exploitedCves: [],
      cveScore: null,
      epssScore: null,
      requiresReboot: false,
      uninstallable: true,
      managed: true,
      impact: null,
      patchScope: 'all',
      classification: null,
      secondaryId: null,
    });
  });

  it('without a display name is shown by its machine name', () => {
    expect(packageOf(recordedRow('packages-2026.json', 1))).toMatchObject({
      name: 'example-cli',
      displayName: 'example-cli',
    });
    expect(packageOf({ ...full, name: 'KB1', display_name: '' })).toMatchObject({ displayName: 'KB1' });
  });

  it('has a severity of null when it was not determined, unlike "no_known_cves"', () => {
    expect(packageOf(recordedRow('packages-2026.json', 2)).severity).toBeNull();
    expect(packageOf(recordedRow('packages-2026.json', 1)).severity).toBe('no_known_cves');
  });

  it.each([
    ['"9.6"', '9.6', 9.6],
    ['9.6', 9.6, 9.6],
    ['0', 0, 0],
    ['text', 'high', null],
    ['null', null, null],
  ])('has a score from %s', (_, sent, score) => {
    expect(packageOf({ ...full, cve_score: sent }).cveScore).toBe(score);
  });

  it('keeps its CVEs, and leaves out invalid ones', () => {
    expect(packageOf({ ...full, cves: ['CVE-1', 'CVE-2'] }).cves).toEqual(['CVE-1', 'CVE-2']);
    expect(packageOf({ ...full, cves: [null, 'CVE-1'] }).cves).toEqual(['CVE-1']);
  });

  it('is ignored when the device or its group ignores it', () => {
    const byBoth = { ignored: true, group_ignored: true };
    expect(packageOf({ ...full, ignored: true })).toMatchObject({ ignored: true, ignoredBy: ['device'] });
    expect(packageOf({ ...full, group_ignored: true })).toMatchObject({
      ignored: true,
      ignoredBy: ['group'],
    });
    expect(packageOf({ ...full, ...byBoth }).ignoredBy).toEqual(['device', 'group']);
  });

  it.each([
    ['2026-01-01T00:00:00Z', '2026-02-01 00:00:00', Date.UTC(2026, 1, 1)],
    ['2026-03-01T00:00:00Z', '2026-02-01 00:00:00', Date.UTC(2026, 2, 1)],
    [null, '2026-02-01 00:00:00', Date.UTC(2026, 1, 1)],
    ['2026-03-01T00:00:00Z', null, Date.UTC(2026, 2, 1)],
    [null, null, null],
  ])(
    'deferred until %s by the device and %s by the group',
    (deferred_until, group_deferred_until, expected) => {
      const { deferredUntil, deferredBy } = packageOf({ ...full, deferred_until, group_deferred_until });
      expect(deferredUntil).toBe(expected);
      expect([deferredBy.includes('device'), deferredBy.includes('group')]).toEqual([
        deferred_until !== null,
        group_deferred_until !== null,
      ]);
    },
  );

  it('does not count as installed when the service did not say so', () => {
    expect(packageOf({ id: 1 })).toMatchObject({ installed: false, ignored: false, requiresReboot: false });
  });

  it('with owner 0 has none, and of another device is foreign', () => {
    expect(read({ ...full, server_id: 0, organization_id: 0 }).kind).toBe('row');
    expect(read({ ...full, server_id: 43 }).kind).toBe('foreign');
    expect(read({ ...full, organization_id: 8 }).kind).toBe('foreign');
  });
});
