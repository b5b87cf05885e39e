/** What a service may show though the command did nothing: old versions, old events, and times that lie ahead. */
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, type Instant, SECOND } from '../../../src/lib/clock.ts';
import { eventId, policyId } from '../../../src/lib/ids.ts';
import { compareVersions } from '../../../src/lib/text.ts';
import type { Baseline } from '../../../src/store/port/records.ts';
import { aFact } from '../builders.ts';
import { anEvent, aPackage } from '../fleet-builders.ts';
import * as scenes from './scenes.ts';

const { answered: target, at } = scenes;
const asked = { name: 'openssl', version: '3.0.2-1.15', severity: null, cves: [], requiresReboot: false };
const install = {
  command: { kind: 'patch', packages: ['openssl'] },
  target: { ...target, facts: aFact({ packages: [asked] }) },
} as const;
const rows = (...versions: readonly (string | null)[]) => ({
  ...install,
  packages: versions.map((version) => aPackage('openssl', { version, ignored: true, installed: true })),
});
const id = eventId(9);
const applied = (createTime: Instant, last = 8, version: string | null = null) => {
  const patches = [{ name: 'openssl', version, displayName: null }];
  const events = [anEvent({ id, name: 'system.patch.applied', createTime, patches })];
  return { ...install, packages: [aPackage('openssl')], before: { lastEventId: eventId(last) }, events };
};
const scan = (ms: number, before: Partial<Baseline> = {}) =>
  ({ command: scenes.scan, target, device: { lastRefreshTime: at(ms) }, before }) as const;
const reboot = { command: scenes.reboot, target };
const acted = anEvent({ id, name: 'system.policy.action', policyId: policyId(12), createTime: at(DAY) });

describe('the proof of a command is', () => {
  it.each<readonly [string, scenes.Scene, 'verified' | 'answered']>([
    ['an installed row of the sealed version', rows(asked.version), 'verified'],
    ['a newer one, beside the old one', rows('1.0', '3.0.10'), 'verified'],
    ['no older one', rows('3.0.2-1.9'), 'answered'],
    ['no older one with a word', rows('1.0-old'), 'answered'],
    ['no row without a version', rows(null), 'answered'],
    ['an event after the command', applied(at(SECOND)), 'verified'],
    ['no event of an older version', applied(at(SECOND), 8, '1.0'), 'answered'],
    ['no event of before', applied(at(SECOND), 9), 'answered'],
    ['no event that lies ahead', applied(at(HOUR)), 'answered'],
    ['no action that lies ahead', { command: scenes.policyTest, target, events: [acted] }, 'answered'],
    ['a refresh', scan(30 * SECOND), 'verified'],
    ['no refresh that lies ahead', scan(2 * HOUR), 'answered'],
    ['a refresh after one that lay ahead', scan(SECOND, { lastRefreshTime: at(DAY) }), 'verified'],
    ['a refresh by a clock that is ahead', scan(HOUR, { aheadMs: HOUR }), 'verified'],
    [
      'no disconnect that lies ahead',
      { ...reboot, device: { connected: true, lastDisconnectTime: at(7 * DAY) } },
      'answered',
    ],
    ['no uptime of a day ahead', { ...reboot, device: { uptime: 3, lastRefreshTime: at(DAY) } }, 'answered'],
  ])('%s', (_what, scene, state) => {
    expect(scenes.deviceObservation(scene).state).toBe(state);
  });

  it.each([
    ['3.0.2', '3.0.10'],
    ['1.0~rc1', '1.0'],
    ['2.1-beta2', '2.1'],
    ['2.1', '2.1-1'],
  ])('by versions where %s is older than %s', (older, newer) => {
    expect([compareVersions(older, newer) < 0, compareVersions(newer, older) > 0]).toEqual([true, true]);
  });
});
