import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock, DAY, instant, type MovableClock, SECOND } from '../../src/clock.ts';
import type { FleetReader } from '../../src/fleet/fleet.ts';
import { channelId, noticeId, organizationId } from '../../src/ids.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { poll } from '../../src/watch/poll.ts';
import { aFleetEvent, createEventLog, type EventLog } from './event-log.ts';

const ORGANIZATION = organizationId(1);
const CHANNELS = { patchAlerts: channelId('C0ALERTS'), newDevices: channelId('C0NEW') };

let store: Store;
let log: EventLog;
let clock: MovableClock;

beforeEach(async () => {
  store = await openStore({ database: { kind: 'sqlite', path: ':memory:' }, organizationId: ORGANIZATION });
  log = createEventLog();
  clock = createManualClock(instant(1_700_000_000_000));
});
afterEach(() => store.close());

const refuse = () => Promise.reject(new Error('only events are read'));
async function* nothing() {}
const fleet = (): FleetReader => ({
  events: log.events,
  devices: nothing,
  packages: nothing,
  groups: nothing,
  device: refuse,
  queue: refuse,
});
const pollOnce = () =>
  poll({ fleet: fleet(), store, clock, organizationId: ORGANIZATION, channels: CHANNELS });
const cardOf = (id: number) => store.cards.get(`notice:patch-failed-${id}`);

describe('the first poll', () => {
  it('tells nobody about history', async () => {
    log.add(1, 2, 3);
    expect(await pollOnce()).toEqual({ taken: 0, notices: 0 });
    expect(await pollOnce()).toEqual({ taken: 0, notices: 0 });
    expect(await cardOf(3)).toBeNull();
  });

  it('notes an empty log, so that the very first event is told', async () => {
    await pollOnce();
    log.add(1);
    expect(await pollOnce()).toEqual({ taken: 1, notices: 1 });
  });
});

describe('a later poll', () => {
  beforeEach(async () => {
    log.add(10, 11, 12);
    await pollOnce();
  });

  it('tells each new failure once, in its channel', async () => {
    log.add(13, 14);
    expect(await pollOnce()).toEqual({ taken: 2, notices: 2 });
    expect(await pollOnce()).toEqual({ taken: 0, notices: 0 });
    expect(await cardOf(13)).toMatchObject({ channel: CHANNELS.patchAlerts, ts: null });
    expect(await store.notices.get(noticeId('patch-failed-14'))).toMatchObject({
      deviceName: 'web-01',
      packages: [{ name: 'openssl' }],
      reason: 'exit code 100',
    });
  });

  it('tells a new device in the other channel, and nobody about the rest', async () => {
    log.addEvent(aFleetEvent(13, { name: 'system.add', patches: [], failure: null }));
    log.addEvent(aFleetEvent(14, { name: 'user.login' }));
    expect(await pollOnce()).toEqual({ taken: 2, notices: 1 });
    expect(await store.cards.get('notice:device-added-13')).toMatchObject({ channel: CHANNELS.newDevices });
  });

  it('is one request when nothing happened', async () => {
    const before = log.requests();
    await pollOnce();
    expect(log.requests() - before).toBe(1);
  });

  it('walks as many pages as a storm fills', async () => {
    log.add(...Array.from({ length: 750 }, (_, n) => 100 + n));
    expect((await pollOnce()).notices).toBe(750);
  });

  it('neither loses nor doubles events that arrive while it walks', async () => {
    log.add(...Array.from({ length: 250 }, (_, n) => 100 + n));
    log.beforePage = (page) => {
      if (page > 0 && page < 3) log.add(1000 + page);
    };
    const first = await pollOnce();
    log.beforePage = () => undefined;
    const second = await pollOnce();
    expect(first.notices + second.notices).toBe(252);
  });

  it('tells an event that the service lists late, below the highest it has seen', async () => {
    log.add(20);
    await pollOnce();
    log.add(15);
    expect((await pollOnce()).notices).toBe(1);
  });

  it('does not trust the order: a log that is oldest first is read whole', async () => {
    log.order = 'oldest-first';
    log.add(...Array.from({ length: 150 }, (_, n) => 100 + n));
    expect((await pollOnce()).notices).toBe(150);
  });

  it('never tells an id below the floor, even after it was forgotten', async () => {
    log.add(13);
    await pollOnce();
    await clock.advance(8 * DAY);
    log.add(20);
    await pollOnce();
    await clock.advance(8 * DAY);
    log.add(21);
    expect((await pollOnce()).notices).toBe(1);
    log.add(5);
    expect((await pollOnce()).notices).toBe(0);
  });

  it('stores nothing of a poll that failed half-way, and takes it all the next time', async () => {
    log.add(...Array.from({ length: 150 }, (_, n) => 100 + n));
    log.beforePage = (page) => {
      if (page === 1) throw new Error('the service went away');
    };
    await expect(pollOnce()).rejects.toThrow('went away');
    log.beforePage = () => undefined;
    await clock.advance(30 * SECOND);
    expect((await pollOnce()).notices).toBe(150);
  });
});
