import { describe, expect, it } from 'vitest';
import { instant } from '../../src/lib/clock.ts';
import { eventId, organizationId } from '../../src/lib/ids.ts';
import { alertFromEvent, unseenEvents } from '../../src/watch/classify-events.ts';
import { aFleetEvent } from './simulated-event-log.ts';

const NOW = instant(5);
const select = (changes: Parameters<typeof aFleetEvent>[1]) =>
  alertFromEvent(aFleetEvent(1, changes), organizationId(1), NOW);

describe('the facts of an event', () => {
  it.each([
    ['system.patch.failed', null, 'patch-failed'],
    ['system.add', null, 'device-added'],
    ['system.delete', null, 'device-removed'],
    ['system.policy.action', 1, 'policy-failed'],
    ['system.policy.action', 0, 'policy-run'],
    ['system.policy.action', null, 'policy-run'],
    ['user.login', null, 'signed-in'],
  ])('%s with exit code %s is %s', (name, exitCode, kind) => {
    expect(select({ name, exitCode })?.kind).toBe(kind);
  });

  it.each(['something', 'some thing.new', ''])('“%s” gives no alert', (name) => {
    expect(select({ name })).toBeNull();
  });

  it('a name that is not known is its own kind, without the text', () => {
    expect(select({ name: 'System.thing.new', text: 'secret', failure: 'secret' })).toMatchObject({
      id: 'System.thing.new-1',
      kind: 'System.thing.new',
      packages: [{ name: 'openssl' }],
      reason: null,
    });
  });

  it.each(['0x80070643', 'Timeout', 'ERROR_INSTALL_FAILURE', 'openssl'])(
    'a failure without patches whose one word is %s names no patch, and keeps it as the reason',
    (failure) => {
      expect(select({ patches: [], failure })).toMatchObject({ packages: [], reason: failure });
    },
  );

  it('a failure without patches whose one word is an update of Windows names the patch', () => {
    expect(select({ patches: [], failure: 'KB123456' })).toMatchObject({
      packages: [{ name: 'KB123456' }],
      reason: null,
    });
  });

  it('a patch keeps its version where the agent stated one', () => {
    const patches = [
      { name: 'openssl', version: '3.0.2', displayName: 'OpenSSL' },
      { name: 'curl', version: null, displayName: null },
    ];
    const packages = [
      { name: 'openssl', displayName: 'OpenSSL', version: '3.0.2' },
      { name: 'curl', displayName: null },
    ];
    expect(select({ patches })?.packages).toEqual(packages);
    expect(select({ name: 'system.patch.applied', patches })?.packages).toEqual(packages);
  });

  it('a failure without patches keeps the agent’s words as the reason', () => {
    expect(select({ patches: [], failure: 'disk is full' })).toMatchObject({
      packages: [],
      reason: 'disk is full',
    });
  });

  it.each([
    { name: 'user.login', failure: null, text: 'x'.repeat(1_000_000) },
    { failure: `${'x'.repeat(998)} and so on` },
  ])('of many words the first are kept', (changes) => {
    expect(select(changes)?.reason).toMatch(/^x{998}.…$/);
  });

  it.each([0, 1, null])('nothing that a policy’s script printed is kept (exit code %s)', (exitCode) => {
    const printed = { failure: 'password=hunter2', text: 'password=hunter2', patches: [] };
    const alert = select({ name: 'system.policy.action', exitCode, ...printed });
    expect(alert).toMatchObject({ exitCode, reason: null });
    expect(JSON.stringify(alert)).not.toContain('hunter2');
  });

  it('a device that the event does not name stays unnamed', () => {
    expect(select({ deviceId: null, deviceName: null })).toMatchObject({ deviceId: null, deviceName: null });
  });
});

describe('what is new', () => {
  it('is above the floor, not seen, once, oldest first', () => {
    const events = [5, 9, 7, 9, 3, 8].map((id) => aFleetEvent(id));
    const seen = new Map([8, 7].map((id) => [eventId(id), instant(id === 8 ? 1_000_008 : 1)]));
    expect(unseenEvents(events, seen, eventId(4)).map(({ id }) => id)).toEqual([5, 7, 9]);
  });
});
