/** Acknowledging alerts, and what the audit records of it. */
import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR, instant, later, MINUTE } from '../../src/lib/clock.ts';
import { alertId, channelId, deviceId, eventId, groupId, personId } from '../../src/lib/ids.ts';
import type { SilenceScope } from '../../src/store/port/alert-records.ts';
import { aFleetEvent } from '../harness/builders.ts';
import { ANY, EVERYTHING } from '../harness/records.ts';
import { CHANNELS, pollOnce, world } from './world.ts';

const ALERTS = CHANNELS.patchAlerts;
const TEAM = channelId('C0TEAM');
const OPERATOR = personId('UOPERATOR');

beforeEach(async () => {
  world().log.add(1);
  await pollOnce();
});

/** Failures of one patch, each on the device of its number. */
const fail = (...ids: readonly number[]) => {
  for (const id of ids)
    world().log.addEvent(aFleetEvent(id, { deviceId: deviceId(id), deviceName: `web-${id}` }));
};
const id = (event: number) => alertId(`patch-failed-${event}`);
const on = async (card: number, channel = ALERTS) => {
  const { alerts, devices, first } = await world().store.deliveries.onCard(id(card), channel, 3);
  return { alerts, devices, first: first.map(({ eventId }) => Number(eventId)) };
};
const enqueuedAlert = (scope: Partial<SilenceScope> = {}, lasts = HOUR, createdBy = OPERATOR) =>
  world().desk.silence({
    scope: { ...EVERYTHING, ...scope },
    reason: null,
    createdBy,
    until: later(world().clock.now(), lasts),
  });
const silence = async (...wanted: Parameters<typeof enqueuedAlert>) => {
  const result = await enqueuedAlert(...wanted);
  if (result.kind === 'full') throw new Error('full');
  return result.silence;
};
const ofDevice = (number: number) => ({ device: { id: deviceId(number), name: `web-${number}` } });
const subscribe = (filter = ANY, channel = TEAM) =>
  world().desk.subscribe({ channel, person: null, kinds: ['patch-failed'], filter, createdBy: OPERATOR });

const OTHER = personId('UOTHER');

describe('acknowledging an alert', () => {
  it('is shown on every card, and the first person counts', async () => {
    await subscribe();
    fail(2, 3);
    await pollOnce();
    const [three] = (
      await world().store.deliveries.list({ of: 'all', since: instant(0) }, { limit: 1, skip: 0 })
    ).rows;
    if (three === undefined) throw new Error('no alert');
    expect(await world().desk.acknowledge(three.eventId, OPERATOR)).toMatchObject({ kind: 'acknowledged' });
    expect(await world().store.alerts.get(id(2))).toMatchObject({ acknowledgedBy: OPERATOR });
    for (const key of ['notice:patch-failed-2', 'notice:patch-failed-2@C0TEAM'] as const)
      expect(await world().store.cards.get(key)).toMatchObject({ wantedRevision: 2 });
    expect(await world().desk.acknowledge(three.eventId, OTHER)).toMatchObject({
      kind: 'already',
      alert: { acknowledgedBy: OPERATOR },
    });
  });

  it('of a grouped alert covers the whole card, whichever alert is named, in one line of the audit', async () => {
    fail(2, 3, 4);
    await pollOnce();
    const taken = await world().desk.acknowledge(eventId(3), OPERATOR);
    expect(taken).toMatchObject({
      kind: 'acknowledged',
      alert: { deviceName: 'web-3', acknowledgedBy: OPERATOR },
      alerts: 3,
      devices: 3,
      acknowledgedCount: 3,
    });
    for (const one of [2, 3, 4])
      expect(await world().store.alerts.get(id(one))).toMatchObject({ acknowledgedBy: OPERATOR });
    const lines = await world().store.audit.list(0, 10);
    expect(lines.map(({ action, detail }) => [action, detail])).toEqual([
      ['alerts.storm-acknowledged', { alerts: 3, devices: '2 3 4', kind: 'patch-failed' }],
    ]);
    expect(await world().desk.acknowledge(eventId(4), OTHER)).toMatchObject({
      kind: 'already',
      acknowledgedCount: 0,
    });
  });

  it('holds for what is added to its card later, by the same person', async () => {
    fail(2, 3);
    await pollOnce();
    await world().desk.acknowledge(eventId(2), OPERATOR);
    fail(4, 5);
    await pollOnce();
    for (const one of [4, 5])
      expect(await world().store.alerts.get(id(one))).toMatchObject({ acknowledgedBy: OPERATOR });
    expect(await world().store.deliveries.onCard(id(2), ALERTS, 1)).toMatchObject({
      alerts: 4,
      acknowledgement: { alerts: 4, people: 1, by: OPERATOR },
    });
  });

  it('does not hold for a later card of the same', async () => {
    fail(2, 3);
    await pollOnce();
    await world().desk.acknowledge(eventId(2), OPERATOR);
    await world().clock.advance(HOUR);
    fail(4);
    await pollOnce();
    expect(await world().store.alerts.get(id(4))).toMatchObject({ acknowledgedBy: null });
  });

  it('counts what is new where somebody had acknowledged a part', async () => {
    fail(2, 3, 4);
    await pollOnce();
    await world().store.alerts.acknowledge(id(2), OTHER, world().clock.now());
    const rest = await world().desk.acknowledge(eventId(2), OPERATOR);
    expect(rest).toMatchObject({ kind: 'acknowledged', alerts: 3, acknowledgedCount: 2 });
    expect(await world().store.alerts.get(id(2))).toMatchObject({ acknowledgedBy: OTHER });
    expect((await world().store.deliveries.onCard(id(2), ALERTS, 1)).acknowledgement).toMatchObject({
      people: 2,
    });
  });

  it('that was never posted does not exist', async () => {
    expect(await world().desk.acknowledge(aFleetEvent(99).id, OPERATOR)).toEqual({ kind: 'absent' });
  });
});

describe('the audit', () => {
  it('has a line for each change, with who made it', async () => {
    const subscribed = await subscribe();
    if (subscribed.kind === 'full') throw new Error('full');
    await subscribe();
    const { number } = await silence({ kinds: ['patch-failed'] });
    await world().desk.unsilence(number, OPERATOR);
    await world().desk.unsubscribe(subscribed.subscription.number, OPERATOR);
    const lines = await world().store.audit.list(0, 10);
    expect(lines.map(({ action, subject, actor }) => [action, subject, actor])).toEqual([
      ['alerts.subscribed', 'subscription 1', OPERATOR],
      ['alerts.silenced', 'silence 1', OPERATOR],
      ['alerts.sound-again', 'silence 1', OPERATOR],
      ['alerts.unsubscribed', 'subscription 1', OPERATOR],
    ]);
  });
});

describe('a grouped alert', () => {
  it('is one card that takes what comes in the same poll and later ones', async () => {
    fail(2, 3, 4);
    expect((await pollOnce()).alerts).toBe(3);
    fail(5);
    await pollOnce();
    expect(await on(2)).toEqual({ alerts: 4, devices: 4, first: [2, 3, 4] });
    expect(await world().store.cards.get('notice:patch-failed-2')).toMatchObject({ wantedRevision: 2 });
    for (const event of [3, 4, 5])
      expect(await world().store.cards.get(`notice:patch-failed-${event}`)).toBeNull();
  });

  it('ends a quarter of an hour after its first alert: later alerts get a new card', async () => {
    fail(2);
    await pollOnce();
    await world().clock.advance(15 * MINUTE - 1);
    fail(3);
    await pollOnce();
    await world().clock.advance(1);
    fail(4, 5);
    await pollOnce();
    expect([await on(2), await on(4)]).toMatchObject([{ alerts: 2 }, { alerts: 2 }]);
  });

  it('does not put on a card what Slack gave up to show', async () => {
    fail(2);
    await pollOnce();
    const card = { key: 'notice:patch-failed-2', ts: null, wantedRevision: 1 } as const;
    expect(await world().store.cards.giveUp(card, 'message_not_found')).toBe(true);
    fail(3);
    await pollOnce();
    fail(4);
    await pollOnce();
    expect([await on(2), await on(3)]).toMatchObject([{ alerts: 1 }, { alerts: 2 }]);
  });

  it('continues in its channel where the configuration file assigns that to another event', async () => {
    await subscribe();
    fail(2);
    await pollOnce();
    const channels = { ...CHANNELS, patchAlerts: TEAM };
    fail(3);
    await pollOnce({ channels });
    fail(4);
    await pollOnce({ channels });
    expect(await on(3, TEAM)).toEqual({ alerts: 2, devices: 2, first: [3, 4] });
    expect(await world().store.cards.get('notice:patch-failed-3')).toMatchObject({ channel: TEAM });
  });

  it('is counted once where a poll ends half-way and is made again', async () => {
    fail(2, 3);
    await pollOnce();
    fail(4);
    const crash = () => Promise.reject(new Error('killed'));
    await expect(
      pollOnce({ onFailpoint: (step) => (step === 'poll.committed' ? crash() : undefined) }),
    ).rejects.toThrow();
    await pollOnce();
    expect(await on(2)).toMatchObject({ alerts: 3 });
    expect(await world().store.cards.get('notice:patch-failed-2')).toMatchObject({ wantedRevision: 2 });
  });

  it('counts devices, not failures, by name', async () => {
    world().log.addEvent(aFleetEvent(2));
    world().log.addEvent(aFleetEvent(3));
    await pollOnce();
    expect(await on(2)).toMatchObject({ alerts: 2, devices: 1 });
  });
});

describe('the name of a device', () => {
  const nameOf = async (event: number) => (await world().store.alerts.get(id(event)))?.deviceName;

  it('is the present one that the index has, else that of the log', async () => {
    fail(2, 3);
    await pollOnce({ displayName: (device) => (device === deviceId(2) ? 'Front door' : null) });
    expect([await nameOf(2), await nameOf(3)]).toEqual(['Front door', 'web-3']);
  });
});

describe('subscriptions', () => {
  it('have a card of their own in their channel, beside that of the configuration file', async () => {
    await subscribe();
    fail(2, 3);
    await pollOnce();
    expect(await on(2)).toMatchObject({ alerts: 2 });
    expect(await on(2, TEAM)).toMatchObject({ alerts: 2 });
    expect(await world().store.cards.get('notice:patch-failed-2@C0TEAM')).toMatchObject({ channel: TEAM });
  });

  it('of a person who may not look any more tell them nothing', async () => {
    const own = (name: string) => ({ channel: channelId(`D0${name}`), person: personId(name) });
    for (const name of ['UVIEWER', 'UGONE'])
      await world().desk.subscribe({
        ...own(name),
        kinds: ['patch-failed'],
        filter: ANY,
        createdBy: personId(name),
      });
    fail(2);
    await pollOnce({ mayRead: async (person) => person !== 'UGONE' });
    const deliveries = await world().store.deliveries.of(id(2));
    expect(deliveries.map(({ channel }) => channel).toSorted()).toEqual([ALERTS, 'D0UVIEWER']);
  });

  it('of one person’s own are bounded, and take no place of others', async () => {
    const own = (person: string, tag: string) =>
      world().desk.subscribe({
        channel: channelId(`D0${person}`),
        person: personId(person),
        kinds: ['patch-failed'],
        filter: { ...ANY, tag },
        createdBy: personId(person),
      });
    for (let at = 0; at < 20; at += 1)
      expect(await own('UONE', `${at}`)).toMatchObject({ kind: 'subscribed' });
    expect(await own('UONE', 'more')).toEqual({ kind: 'full', limit: 20, own: true });
    expect(await own('UONE', '3')).toMatchObject({ kind: 'already' });
    expect(await own('UTWO', 'x')).toMatchObject({ kind: 'subscribed' });
    expect(await subscribe()).toMatchObject({ kind: 'subscribed' });
  });

  it('gather in each channel only what belongs there', async () => {
    const group = { id: groupId(5), name: 'Linux' };
    const untagged = { tags: [], system: '' };
    await subscribe({ ...ANY, group });
    world().traits = new Map([
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
    await world().desk.unsubscribe(subscribed.subscription.number, OPERATOR);
    fail(2);
    await pollOnce();
    expect(await world().store.deliveries.of(id(2))).toMatchObject([{ channel: ALERTS }]);
  });

  it('keep what nobody wants out of the store', async () => {
    world().log.addEvent(aFleetEvent(2, { name: 'system.delete' }));
    expect(await pollOnce()).toEqual({ taken: 1, alerts: 0 });
    expect(await world().store.alerts.get(alertId('device-removed-2'))).toBeNull();
  });
});

describe('a silence', () => {
  const over = (number: number, channel = ALERTS) => world().store.cards.get(`silence:${number}@${channel}`);

  it('holds alerts back with its number, posts none, and says their count where they belong', async () => {
    await subscribe();
    const { number } = await silence();
    fail(2, 3);
    await pollOnce();
    expect(await world().store.deliveries.of(id(2))).toMatchObject([
      { channel: ALERTS, card: null, silence: number },
      { channel: TEAM, card: null, silence: number },
    ]);
    expect(await world().store.cards.get('notice:patch-failed-2')).toBeNull();
    await world().clock.advance(HOUR);
    expect(await world().desk.endSilence({ key: String(number) })).toEqual({ kind: 'done' });
    expect(await world().store.deliveries.silencedCounts(number, TEAM)).toEqual([
      { kind: 'patch-failed', alerts: 2 },
    ]);
    expect([await over(number), await over(number, TEAM)]).toMatchObject([
      { channel: ALERTS },
      { channel: TEAM },
    ]);
    expect(await world().store.silences.get(number)).toMatchObject({ kept: 2, endedBy: 'patchbay' });
  });

  it('says nothing where it held nothing back', async () => {
    const { number } = await silence();
    await world().clock.advance(HOUR);
    await world().desk.endSilence({ key: String(number) });
    expect(await over(number)).toBeNull();
  });

  it('that ends after the rules were read and before the alert is stored does not hold it back', async () => {
    const group = { id: groupId(5), name: 'Linux' };
    const { number } = await silence({ group });
    fail(2);
    const meanwhile = async () => {
      await world().desk.unsilence(number, OPERATOR);
      return new Map([[deviceId(2), { groups: [group.id], tags: [], system: '' }]]);
    };
    await pollOnce({ deviceLabels: meanwhile });
    expect(await on(2)).toMatchObject({ alerts: 1 });
    expect(await world().store.silences.get(number)).toMatchObject({ kept: 0 });
  });

  it('ends early by hand, once', async () => {
    const { number } = await silence();
    fail(2);
    await pollOnce();
    expect(await world().desk.unsilence(number, OPERATOR)).toMatchObject({ kept: 1, endedBy: OPERATOR });
    expect(await world().desk.unsilence(number, OPERATOR)).toBeNull();
    expect(await over(number)).toMatchObject({ wantedRevision: 1 });
  });

  it('set again lasts until the new time instead of being two', async () => {
    const first = await silence();
    const second = await silence({}, 3 * HOUR);
    expect(second.number).toBe(first.number);
    await world().clock.advance(HOUR);
    expect(await world().desk.endSilence({ key: String(first.number) })).toEqual({
      kind: 'again',
      dueAt: second.until,
    });
    expect(await world().store.silences.open()).toHaveLength(1);
  });

  const announced = async (number: number) => {
    const cards = [ALERTS, CHANNELS.newDevices, TEAM].map((channel) =>
      world().store.cards.get(`silent:${number}@${channel}`),
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
    await world().desk.subscribe({ ...direct, createdBy: OPERATOR });
    const { number } = await silence();
    expect(await announced(number)).toEqual([ALERTS, CHANNELS.newDevices, TEAM]);
    expect(await world().store.cards.get(`silent:${number}@D0ANN`)).toBeNull();
  });

  it('of one kind is announced only where no other kind comes', async () => {
    await subscribe();
    const more = { channel: TEAM, person: null, kinds: ['policy-failed'], filter: ANY } as const;
    await world().desk.subscribe({ ...more, createdBy: OPERATOR });
    const { number } = await silence({ kinds: ['patch-failed'] });
    expect(await announced(number)).toEqual([ALERTS]);
  });

  it('of a part of the fleet is announced nowhere', async () => {
    const { number } = await silence(ofDevice(2));
    expect(await announced(number)).toEqual([]);
  });

  it('that was announced says there that it lasts longer, and that it is over', async () => {
    const { number } = await silence();
    const revision = async () =>
      (await world().store.cards.get(`silent:${number}@${ALERTS}`))?.wantedRevision;
    await silence({}, 2 * HOUR);
    expect(await revision()).toBe(2);
    await world().desk.unsilence(number, OPERATOR);
    expect(await revision()).toBe(3);
  });

  it('is not the 21st of one person, and takes no place of another’s', async () => {
    for (let at = 1; at <= 20; at += 1) await silence(ofDevice(at));
    expect(await enqueuedAlert(ofDevice(21))).toEqual({ kind: 'full', limit: 20, own: true });
    expect(await enqueuedAlert(ofDevice(20), 2 * HOUR)).toMatchObject({ kind: 'silenced' });
    expect(await enqueuedAlert(ofDevice(21), HOUR, personId('UOTHER'))).toMatchObject({ kind: 'silenced' });
    expect(await world().store.silences.open()).toHaveLength(21);
  });

  it('is not the 201st of all', async () => {
    for (let at = 0; at < 200; at += 1) await silence(ofDevice(at + 1), HOUR, personId(`U${at % 10}`));
    expect(await enqueuedAlert(ofDevice(201), HOUR, personId('UNEW'))).toEqual({
      kind: 'full',
      limit: 200,
      own: false,
    });
  });

  it('of one device lets the others through', async () => {
    await silence({ device: { id: deviceId(2), name: 'web-2' } });
    fail(2, 3);
    await pollOnce();
    expect(await on(3)).toMatchObject({ alerts: 1, first: [3] });
  });
});
