import { describe, expect, it } from 'vitest';
import { HOUR, later } from '../../src/clock.ts';
import { channelId, deviceId, groupId, policyId } from '../../src/ids.ts';
import type { DeviceTraits } from '../../src/inventory/traits.ts';
import type { AlertFilter, SilenceScope } from '../../src/store/alert-records.ts';
import { channelsOf, devicesAsked, type Rules, silencesOf } from '../../src/watch/routing.ts';
import { START } from '../harness/builders.ts';
import { anAlert } from '../harness/records.ts';
import { ANY, aSilence, aSubscription, EVERYTHING } from './alert-builders.ts';

const ALERTS = channelId('C0ALERTS');
const NEW = channelId('C0NEW');
const TEAM = channelId('C0TEAM');
const DEVICE = deviceId(1001);
const LINUX = { id: groupId(5), name: 'Linux' };
const TRAITS: DeviceTraits = {
  groups: [groupId(9), groupId(5)],
  tags: ['Critical'],
  system: 'Linux Ubuntu 24.04',
};

const rules = (given: Partial<Rules> = {}): Rules => ({
  channels: { patchAlerts: ALERTS, newDevices: NEW },
  subscriptions: [],
  silences: [],
  ...given,
});
const known = new Map([[DEVICE, TRAITS]]);

describe('where an alert goes', () => {
  it.each([
    ['patch-failed', [ALERTS]],
    ['device-added', [NEW]],
    ['device-removed', []],
  ] as const)('%s goes where the configuration file says', (kind, channels) => {
    expect(channelsOf(anAlert({ kind }), rules(), known)).toEqual(channels);
  });

  it('goes once to a channel that asked for it twice', () => {
    const subscriptions = [aSubscription(), aSubscription({ number: 2 }), aSubscription({ channel: ALERTS })];
    expect(channelsOf(anAlert(), rules({ subscriptions }), known)).toEqual([ALERTS, TEAM]);
  });

  const filters: readonly (readonly [string, Partial<AlertFilter>, boolean])[] = [
    ['its group', { group: { id: groupId(9), name: '' } }, true],
    ['a group above its own', { group: LINUX }, true],
    ['another group', { group: { id: groupId(6), name: '' } }, false],
    ['its tag in other letters', { tag: 'critical' }, true],
    ['another tag', { tag: 'crit' }, false],
    ['a part of its system', { os: 'ubuntu' }, true],
    ['another system', { os: 'windows' }, false],
    ['its policy', { policy: { id: policyId(3), name: '' } }, true],
    ['another policy', { policy: { id: policyId(4), name: '' } }, false],
    ['its group but another policy', { group: LINUX, policy: { id: policyId(4), name: '' } }, false],
  ];
  it.each(filters)('asked for %s', (_, filter, goes) => {
    const subscriptions = [aSubscription({ filter: { ...ANY, ...filter } })];
    const alert = anAlert({ policyId: policyId(3) });
    expect(channelsOf(alert, rules({ subscriptions }), known).includes(TEAM)).toBe(goes);
  });

  it('is told where nothing is known of its device, rather than lost', () => {
    const subscriptions = [aSubscription({ filter: { ...ANY, group: LINUX } })];
    expect(channelsOf(anAlert(), rules({ subscriptions }), new Map())).toContain(TEAM);
  });

  it('is not told to who asked for devices of a group where it is about no device', () => {
    const subscriptions = [aSubscription({ kinds: ['signed-in'], filter: { ...ANY, group: LINUX } })];
    const alert = anAlert({ kind: 'signed-in', deviceId: null });
    expect(channelsOf(alert, rules({ subscriptions }), new Map())).toEqual([]);
  });
});

describe('which silence keeps an alert', () => {
  const scopes: readonly (readonly [string, Partial<SilenceScope>, boolean])[] = [
    ['of everything', {}, true],
    ['of its kind', { kinds: ['device-added', 'patch-failed'] }, true],
    ['of another kind', { kinds: ['device-added'] }, false],
    ['of its device', { device: { id: DEVICE, name: '' } }, true],
    ['of another device', { device: { id: deviceId(2), name: '' } }, false],
    ['of its patch in other letters', { patch: 'OpenSSL' }, true],
    ['of another patch', { patch: 'curl' }, false],
    ['of a group above its own', { group: LINUX }, true],
    ['of another group', { group: { id: groupId(6), name: '' } }, false],
  ];
  it.each(scopes)('one %s', (_, scope, keeps) => {
    const silences = [aSilence({ number: 4, scope: { ...EVERYTHING, ...scope } })];
    expect(silencesOf(anAlert(), rules({ silences }), known, START)).toEqual(keeps ? [4] : []);
  });

  it('none whose time is over', () => {
    const silences = [aSilence({ until: later(START, HOUR) })];
    expect(silencesOf(anAlert(), rules({ silences }), known, later(START, HOUR - 1))).toEqual([1]);
    expect(silencesOf(anAlert(), rules({ silences }), known, later(START, HOUR))).toEqual([]);
  });

  it('none of a group where nothing is known of the device', () => {
    const silences = [aSilence({ scope: { ...EVERYTHING, group: LINUX } })];
    expect(silencesOf(anAlert(), rules({ silences }), new Map(), START)).toEqual([]);
  });
});

describe('what has to be known before', () => {
  const alerts = [anAlert(), anAlert({ kind: 'device-added', deviceId: deviceId(2) })];

  it('is nothing where no rule asks for it', () => {
    const silences = [aSilence({ scope: { ...EVERYTHING, device: { id: DEVICE, name: '' } } })];
    const asked = devicesAsked(alerts, rules({ subscriptions: [aSubscription()], silences }));
    expect([...asked]).toEqual([]);
  });

  it('are the devices of alerts that a subscription by group, tag or system may want', () => {
    const subscriptions = [aSubscription({ filter: { ...ANY, tag: 'x' } })];
    expect([...devicesAsked(alerts, rules({ subscriptions }))]).toEqual([DEVICE]);
  });

  it('are those that a silence of a group may keep', () => {
    const silences = [aSilence({ scope: { ...EVERYTHING, group: LINUX } })];
    expect([...devicesAsked(alerts, rules({ silences }))]).toEqual([DEVICE, deviceId(2)]);
  });
});
