/** The fleet-wide question before a change: who misses patches of a severity. */
import { describe, expect, it } from 'vitest';
import type { ReadPorts } from '../../src/commands/core/command.ts';
import { devicesCommand } from '../../src/commands/devices.ts';
import { missingCommand } from '../../src/commands/missing.ts';
import { deviceId, groupId } from '../../src/lib/ids.ts';
import { renderView } from '../../src/views/views.ts';
import { aDevice, aGroup, aPackage } from '../harness/builders.ts';
import { testPorts } from './harness/ports.ts';
import { faultOf, runCommand } from './harness/run-command.ts';

const CONTENT = {
  devices: [
    aDevice({ id: deviceId(1), name: 'web-1' }),
    aDevice({ id: deviceId(2), name: 'web-2' }),
    aDevice({ id: deviceId(3), name: 'kiosk-1', groupId: groupId(30) }),
  ],
  groups: [aGroup(), aGroup({ id: groupId(30), name: 'Kiosks' })],
  packages: [
    aPackage({ severity: 'critical', cves: ['CVE-2026-0001'] }),
    aPackage({ id: 502, name: 'curl', displayName: 'curl', severity: 'high' }),
  ],
};
const asked = (text: string, more: Partial<ReadPorts> = {}) =>
  runCommand(missingCommand, 'missing', text, { ...testPorts(CONTENT).ports, ...more });
const listed = (text: string, more: Partial<ReadPorts> = {}) =>
  runCommand(devicesCommand, 'devices', text, { ...testPorts(CONTENT).ports, ...more });

describe('missing severity:', () => {
  it('lists the devices missing any patch of it', async () => {
    const view = await asked('severity:critical,high group:Kiosks');
    expect(view.rows.map(({ line, packages }) => [line.device.name, packages.length])).toEqual([
      ['kiosk-1', 2],
    ]);
    expect(view.paging.line?.text).toBe('missing severity:critical,high group:Kiosks');
    expect(renderView(await asked('severity:high')).text).toContain(
      '3 devices are missing patches of high severity.',
    );
    expect((await asked('critical,high')).paging.line?.text).toBe('missing severity:critical,high');
    expect(renderView(await asked('severity:low')).text).toContain(
      'No device is missing patches of low severity.',
    );
  });

  it.each(['openssl severity:high', 'CVE-2026-0001 severity:high', 'severity:worst', '-severity:high'])(
    '%s: is refused',
    (text) => {
      expect(['bad-value', 'unknown-word']).toContain(faultOf(missingCommand, text).kind);
    },
  );
});

describe('devices missing:', () => {
  it('says how the packages were read', async () => {
    const text = JSON.stringify(renderView(await listed('missing:openssl')).blocks);
    expect(text).toContain('Checked all 3 devices with missing patches.');
    expect(text).toContain('or later, read device by device.');
    expect(JSON.stringify(renderView(await listed('web')).blocks)).not.toContain('Packages');
  });

  it('asks about a package that no device misses, and about a CVE that is none', async () => {
    const { ports } = testPorts(CONTENT);
    expect((await runCommand(devicesCommand, 'problem', 'missing:opnssl', ports)).problem).toMatchObject({
      kind: 'missing-nowhere',
      devices: 3,
      offers: [{ line: '/fleet devices missing:openssl' }],
    });
    expect(faultOf(devicesCommand, 'web severity:critical,high')).toMatchObject({
      nearest: ['missing:critical,high'],
    });
    expect(faultOf(devicesCommand, '-cve:CVE-2026-0001')).toMatchObject({
      nearest: ['-missing:CVE-2026-0001'],
    });
    expect(faultOf(devicesCommand, 'missing:CVE-26')).toMatchObject({ kind: 'bad-value' });
  });

  it.each([
    ['missing:openssl', 3],
    ['missing:critical group:Kiosks', 1],
    ['missing:CVE-2026-0001 web', 2],
    ['missing:low', 0],
    ['-missing:low', 3],
  ])('%s: %d devices', async (text, total) => {
    expect((await listed(text)).paging.total).toBe(total);
  });

  it('says how many devices were looked at, where that is not all', async () => {
    const { ports } = testPorts(CONTENT);
    const all = await ports.missingPatches.query({ groups: null, waitMs: 0 });
    const missingPatches = { ...ports.missingPatches, query: async () => ({ ...all, known: new Map() }) };
    const view = await listed('missing:openssl', { missingPatches });
    expect(JSON.stringify(renderView(view).blocks)).toContain('Checked 0 of 3 devices with missing patches.');
  });
});
