/** From events to cards: which alerts share one, which are kept, and that none is lost or doubled. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock, HOUR, instant, later, MINUTE, type MovableClock } from '../../src/clock.ts';
import { alertId, channelId, deviceId, groupId, organizationId, personId } from '../../src/ids.ts';
import type { SilenceScope } from '../../src/store/alert-records.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { type AlertDesk, createAlertDesk } from '../../src/watch/desk.ts';
import { poll } from '../../src/watch/poll.ts';
import type { Traits } from '../../src/watch/routing.ts';
import { aFleetReader } from '../harness/fleet-reader.ts';
import { ANY, EVERYTHING } from './alert-builders.ts';
import { aFleetEvent, createEventLog, type EventLog } from './event-log.ts';

const ORGANIZATION = organizationId(1);
const ALERTS = channelId('C0ALERTS');
const TEAM = channelId('C0TEAM');
const CHANNELS = { patchAlerts: ALERTS, newDevices: channelId('C0NEW') };
const OPERATOR = personId('UOPERATOR');

let store: Store;
let log: EventLog;
let clock: MovableClock;
let desk: AlertDesk;
let traits: Traits;

beforeEach(async () => {
  store = await openStore({ database: { kind: 'sqlite', path: ':memory:' }, organizationId: ORGANIZATION });
  log = createEventLog();
  clock = createManualClock(instant(1_700_000_000_000));
  desk = createAlertDesk({ store, channels: CHANNELS, clock, kick: () => undefined });
  traits = new Map();
  log.add(1);
  await pollOnce();
});
afterEach(() => store.close());

const pollOnce = (given: Partial<Parameters<typeof poll>[0]> = {}) =>
  poll({
    fleet: aFleetReader({ events: log.events }),
    store,
    clock,
    organizationId: ORGANIZATION,
    channels: CHANNELS,
    traits: async () => traits,
    mayRead: async () => true,
    onOddity: () => undefined,
    ...given,
  });
/** Events of one failing patch, each on the device of its number. */
const fail = (...ids: readonly number[]) => {
  for (const id of ids) log.addEvent(aFleetEvent(id, { deviceId: deviceId(id), deviceName: `web-${id}` }));
};
const id = (event: number) => alertId(`patch-failed-${event}`);
const on = async (card: number, channel = ALERTS) => {
  const { alerts, devices, first } = await store.deliveries.onCard(id(card), channel, 3);
  return { alerts, devices, first: first.map(({ eventId }) => Number(eventId)) };
};
const wish = (scope: Partial<SilenceScope> = {}, lasts = HOUR, createdBy = OPERATOR) =>
  desk.silence({
    scope: { ...EVERYTHING, ...scope },
    reason: null,
    createdBy,
    until: later(clock.now(), lasts),
  });
const silence = async (...wanted: Parameters<typeof wish>) => {
  const result = await wish(...wanted);
  if (result.kind === 'full') throw new Error('full');
  return result.silence;
};
const ofDevice = (number: number) => ({ device: { id: deviceId(number), name: `web-${number}` } });
const subscribe = (filter = ANY, channel = TEAM) =>
  desk.subscribe({ channel, person: null, kinds: ['patch-failed'], filter, createdBy: OPERATOR });

describe('a storm', () => {
  it('is one card that takes what comes in the same poll and later ones', async () => {
    fail(2, 3, 4);
    expect((await pollOnce()).alerts).toBe(3);
    fail(5);
    await pollOnce();
    expect(await on(2)).toEqual({ alerts: 4, devices: 4, first: [2, 3, 4] });
    expect(await store.cards.get('notice:patch-failed-2')).toMatchObject({ wantedRevision: 2 });
    for (const event of [3, 4, 5]) expect(await store.cards.get(`notice:patch-failed-${event}`)).toBeNull();
  });

  it('ends a quarter of an hour after its first alert: what comes then begins a new card', async () => {
    fail(2);
    await pollOnce();
    await clock.advance(15 * MINUTE - 1);
    fail(3);
    await pollOnce();
    await clock.advance(1);
    fail(4, 5);
    await pollOnce();
    expect([await on(2), await on(4)]).toMatchObject([{ alerts: 2 }, { alerts: 2 }]);
  });

  it('does not put on a card what Slack gave up to show', async () => {
    fail(2);
    await pollOnce();
    await store.cards.giveUp('notice:patch-failed-2', 'message_not_found', 1);
    fail(3);
    await pollOnce();
    fail(4);
    await pollOnce();
    expect([await on(2), await on(3)]).toMatchObject([{ alerts: 1 }, { alerts: 2 }]);
  });

  it('is counted once where a poll ends half-way and is made again', async () => {
    fail(2, 3);
    await pollOnce();
    fail(4);
    const crash = () => Promise.reject(new Error('killed'));
    await expect(
      pollOnce({ onStep: (step) => (step === 'poll.committed' ? crash() : undefined) }),
    ).rejects.toThrow();
    await pollOnce();
    expect(await on(2)).toMatchObject({ alerts: 3 });
    expect(await store.cards.get('notice:patch-failed-2')).toMatchObject({ wantedRevision: 2 });
  });

  it('counts devices, not failures, by name', async () => {
    log.addEvent(aFleetEvent(2));
    log.addEvent(aFleetEvent(3));
    await pollOnce();
    expect(await on(2)).toMatchObject({ alerts: 2, devices: 1 });
  });
});

describe('subscriptions', () => {
  it('have a card of their own in their channel, beside that of the policy file', async () => {
    await subscribe();
    fail(2, 3);
    await pollOnce();
    expect(await on(2)).toMatchObject({ alerts: 2 });
    expect(await on(2, TEAM)).toMatchObject({ alerts: 2 });
    expect(await store.cards.get('notice:patch-failed-2@C0TEAM')).toMatchObject({ channel: TEAM });
  });

  it('of a person who may not look any more tell them nothing', async () => {
    const own = (name: string) => ({ channel: channelId(`D0${name}`), person: personId(name) });
    for (const name of ['UVIEWER', 'UGONE'])
      await desk.subscribe({
        ...own(name),
        kinds: ['patch-failed'],
        filter: ANY,
        createdBy: personId(name),
      });
    fail(2);
    await pollOnce({ mayRead: async (person) => person !== 'UGONE' });
    const deliveries = await store.deliveries.of(id(2));
    expect(deliveries.map(({ channel }) => channel).toSorted()).toEqual([ALERTS, 'D0UVIEWER']);
  });

  it('of one person’s own are bounded, and take no place of others', async () => {
    const own = (person: string, tag: string) =>
      desk.subscribe({
        channel: channelId(`D0${person}`),
        person: personId(person),
        kinds: ['patch-failed'],
        filter: { ...ANY, tag },
        createdBy: personId(person),
      });
    for (let at = 0; at < 20; at += 1)
      expect(await own('UONE', `${at}`)).toMatchObject({ kind: 'subscribed' });
    expect(await own('UONE', 'more')).toEqual({ kind: 'full', most: 20, own: true });
    expect(await own('UONE', '3')).toMatchObject({ kind: 'already' });
    expect(await own('UTWO', 'x')).toMatchObject({ kind: 'subscribed' });
    expect(await subscribe()).toMatchObject({ kind: 'subscribed' });
  });

  it('gather in each channel only what belongs there', async () => {
    const group = { id: groupId(5), name: 'Linux' };
    const untagged = { tags: [], system: '' };
    await subscribe({ ...ANY, group });
    traits = new Map([
      [deviceId(2), { ...untagged, groups: [] }],
      [deviceId(3), { ...untagged, groups: [group.id] }],
      [deviceId(4), { ...untagged, groups: [group.id] }],
    ]);
    fail(2, 3, 4);
    await pollOnce();
    expect(await on(2)).toMatchObject({ alerts: 3 });
    expect(await on(3, TEAM)).toEqual({ alerts: 2, devices: 2, first: [3, 4] });
  });

  it('end with the next alert', async () => {
    const subscribed = await subscribe();
    if (subscribed.kind === 'full') throw new Error('full');
    await desk.unsubscribe(subscribed.subscription.number, OPERATOR);
    fail(2);
    await pollOnce();
    expect(await store.deliveries.of(id(2))).toMatchObject([{ channel: ALERTS }]);
  });

  it('keep what nobody wants out of the store', async () => {
    log.addEvent(aFleetEvent(2, { name: 'system.delete' }));
    expect(await pollOnce()).toEqual({ taken: 1, alerts: 0 });
    expect(await store.alerts.get(alertId('device-removed-2'))).toBeNull();
  });
});

describe('a silence', () => {
  const over = (number: number, channel = ALERTS) => store.cards.get(`silence:${number}@${channel}`);

  it('keeps alerts with its number, posts none, and says their count where they belong', async () => {
    await subscribe();
    const { number } = await silence();
    fail(2, 3);
    await pollOnce();
    expect(await store.deliveries.of(id(2))).toMatchObject([
      { channel: ALERTS, card: null, silence: number },
      { channel: TEAM, card: null, silence: number },
    ]);
    expect(await store.cards.get('notice:patch-failed-2')).toBeNull();
    await clock.advance(HOUR);
    expect(await desk.endSilence({ key: String(number) })).toEqual({ kind: 'done' });
    expect(await store.deliveries.silenced(number, TEAM)).toEqual([{ kind: 'patch-failed', alerts: 2 }]);
    expect([await over(number), await over(number, TEAM)]).toMatchObject([
      { channel: ALERTS },
      { channel: TEAM },
    ]);
    expect(await store.silences.get(number)).toMatchObject({ kept: 2, endedBy: 'patchbay' });
  });

  it('says nothing where it kept nothing', async () => {
    const { number } = await silence();
    await clock.advance(HOUR);
    await desk.endSilence({ key: String(number) });
    expect(await over(number)).toBeNull();
  });

  it('that ends after the rules were read and before the alert is stored does not keep it', async () => {
    const group = { id: groupId(5), name: 'Linux' };
    const { number } = await silence({ group });
    fail(2);
    const meanwhile = async () => {
      await desk.unsilence(number, OPERATOR);
      return new Map([[deviceId(2), { groups: [group.id], tags: [], system: '' }]]);
    };
    await pollOnce({ traits: meanwhile });
    expect(await on(2)).toMatchObject({ alerts: 1 });
    expect(await store.silences.get(number)).toMatchObject({ kept: 0 });
  });

  it('ends early by hand, once', async () => {
    const { number } = await silence();
    fail(2);
    await pollOnce();
    expect(await desk.unsilence(number, OPERATOR)).toMatchObject({ kept: 1, endedBy: OPERATOR });
    expect(await desk.unsilence(number, OPERATOR)).toBeNull();
    expect(await over(number)).toMatchObject({ wantedRevision: 1 });
  });

  it('asked for again lasts until the new time instead of being two', async () => {
    const first = await silence();
    const second = await silence({}, 3 * HOUR);
    expect(second.number).toBe(first.number);
    await clock.advance(HOUR);
    expect(await desk.endSilence({ key: String(first.number) })).toEqual({
      kind: 'again',
      dueAt: second.until,
    });
    expect(await store.silences.open()).toHaveLength(1);
  });

  const announced = async (number: number) => {
    const cards = [ALERTS, CHANNELS.newDevices, TEAM].map((channel) =>
      store.cards.get(`silent:${number}@${channel}`),
    );
    return (await Promise.all(cards)).flatMap((card) => card?.channel ?? []);
  };

  it('is announced in the channels where nothing comes any more, but in no direct message', async () => {
    await subscribe();
    const direct = {
      channel: channelId('D0ANN'),
      person: OPERATOR,
      kinds: ['patch-failed'],
      filter: ANY,
    } as const;
    await desk.subscribe({ ...direct, createdBy: OPERATOR });
    const { number } = await silence();
    expect(await announced(number)).toEqual([ALERTS, CHANNELS.newDevices, TEAM]);
    expect(await store.cards.get(`silent:${number}@D0ANN`)).toBeNull();
  });

  it('of one kind is announced only where no other kind comes', async () => {
    await subscribe();
    const more = { channel: TEAM, person: null, kinds: ['policy-failed'], filter: ANY } as const;
    await desk.subscribe({ ...more, createdBy: OPERATOR });
    const { number } = await silence({ kinds: ['patch-failed'] });
    expect(await announced(number)).toEqual([ALERTS]);
  });

  it('of a part of the fleet is announced nowhere', async () => {
    const { number } = await silence(ofDevice(2));
    expect(await announced(number)).toEqual([]);
  });

  it('that was announced says there that it lasts longer, and that it is over', async () => {
    const { number } = await silence();
    const revision = async () => (await store.cards.get(`silent:${number}@${ALERTS}`))?.wantedRevision;
    await silence({}, 2 * HOUR);
    expect(await revision()).toBe(2);
    await desk.unsilence(number, OPERATOR);
    expect(await revision()).toBe(3);
  });

  it('is not the 21st of one person, and takes no place of another’s', async () => {
    for (let at = 1; at <= 20; at += 1) await silence(ofDevice(at));
    expect(await wish(ofDevice(21))).toEqual({ kind: 'full', most: 20, own: true });
    expect(await wish(ofDevice(20), 2 * HOUR)).toMatchObject({ kind: 'silenced' });
    expect(await wish(ofDevice(21), HOUR, personId('UOTHER'))).toMatchObject({ kind: 'silenced' });
    expect(await store.silences.open()).toHaveLength(21);
  });

  it('is not the 201st of all', async () => {
    for (let at = 0; at < 200; at += 1) await silence(ofDevice(at + 1), HOUR, personId(`U${at % 10}`));
    expect(await wish(ofDevice(201), HOUR, personId('UNEW'))).toEqual({
      kind: 'full',
      most: 200,
      own: false,
    });
  });

  it('of one device leaves the others to be told', async () => {
    await silence({ device: { id: deviceId(2), name: 'web-2' } });
    fail(2, 3);
    await pollOnce();
    expect(await on(3)).toMatchObject({ alerts: 1, first: [3] });
  });
});

describe('taking an alert', () => {
  it('stands on every card that it is on, and the first has it', async () => {
    await subscribe();
    fail(2, 3);
    await pollOnce();
    const [three] = (await store.deliveries.list({ of: 'all', since: instant(0) }, { limit: 1, skip: 0 }))
      .rows;
    if (three === undefined) throw new Error('no alert');
    expect(await desk.acknowledge(three.eventId, OPERATOR)).toMatchObject({ kind: 'acknowledged' });
    expect(await store.alerts.get(id(2))).toMatchObject({ acknowledgedBy: OPERATOR });
    for (const key of ['notice:patch-failed-2', 'notice:patch-failed-2@C0TEAM'] as const)
      expect(await store.cards.get(key)).toMatchObject({ wantedRevision: 2 });
    expect(await desk.acknowledge(three.eventId, personId('UOTHER'))).toMatchObject({
      kind: 'already',
      alert: { acknowledgedBy: OPERATOR },
    });
  });

  it('of which nobody was told is not there', async () => {
    expect(await desk.acknowledge(aFleetEvent(99).id, OPERATOR)).toEqual({ kind: 'absent' });
  });
});

describe('the audit', () => {
  it('has a line for each change, with who made it', async () => {
    const subscribed = await subscribe();
    if (subscribed.kind === 'full') throw new Error('full');
    await subscribe();
    const { number } = await silence({ kinds: ['patch-failed'] });
    await desk.unsilence(number, OPERATOR);
    await desk.unsubscribe(subscribed.subscription.number, OPERATOR);
    const lines = await store.audit.list(0, 10);
    expect(lines.map(({ action, subject, actor }) => [action, subject, actor])).toEqual([
      ['alerts.subscribed', 'subscription 1', OPERATOR],
      ['alerts.silenced', 'silence 1', OPERATOR],
      ['alerts.sound-again', 'silence 1', OPERATOR],
      ['alerts.unsubscribed', 'subscription 1', OPERATOR],
    ]);
  });
});
