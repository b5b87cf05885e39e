/** Acknowledging alerts, and what the audit records of it. */
import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR, later, MINUTE } from '../../src/lib/clock.ts';
import { channelId, deviceId, eventId, groupId, personId } from '../../src/lib/ids.ts';
import type { SilenceScope } from '../../src/store/port/alert-records.ts';
import { aFleetEvent } from '../harness/builders.ts';
import { ANY, EVERYTHING } from '../harness/records.ts';
import { alertOf, alertsIn, CHANNELS, pollOnce, world } from '../watch/world.ts';

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
/** What the card of this event's alert shows in a channel. */
const on = async (event: number, channel = ALERTS) => {
  const { number, members, devices, shown } = (await alertOf(event, channel)) ?? NOTHING;
  return { number, members, devices, first: shown.map(({ failedEvent }) => Number(failedEvent)) };
};
const NOTHING = { number: 0, members: 0, devices: 0, shown: [] };
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

const TO_TEAM = { channel: TEAM, person: null, filter: ANY, createdBy: OPERATOR };
const OTHER = personId('UOTHER');

describe('acknowledging an alert', () => {
  it('is shown on every card, whichever of its events is named, and the first person counts', async () => {
    await subscribe();
    fail(2, 3);
    await pollOnce();
    expect(await world().desk.acknowledge(eventId(3), OPERATOR)).toMatchObject({
      kind: 'acknowledged',
      alert: { number: 2, acknowledgedBy: OPERATOR },
    });
    for (const key of ['notice:patch-failed-2', 'notice:patch-failed-2@C0TEAM'] as const)
      expect(await world().store.cards.get(key)).toMatchObject({ wantedRevision: 2 });
    expect(await world().desk.acknowledge(eventId(2), OTHER)).toMatchObject({
      kind: 'already',
      alert: { acknowledgedBy: OPERATOR },
    });
  });

  it('is one line of the audit, with all devices that fail', async () => {
    fail(2, 3, 4);
    await pollOnce();
    await world().desk.acknowledge(eventId(3), OPERATOR);
    const lines = await world().store.audit.list(0, 10);
    expect(lines.map(({ action, subject, detail }) => [action, subject, detail])).toEqual([
      ['alerts.acknowledged', 'alert 2', { devices: '2 3 4', kind: 'patch-failed' }],
    ]);
  });

  it('holds for devices that are added later', async () => {
    fail(2, 3);
    await pollOnce();
    await world().desk.acknowledge(eventId(2), OPERATOR);
    await world().clock.advance(5 * HOUR);
    fail(4, 5);
    await pollOnce();
    expect(await alertOf(5)).toMatchObject({ number: 2, members: 4, acknowledgedBy: OPERATOR });
  });

  it('that only reports an event is refused', async () => {
    world().log.addEvent(aFleetEvent(2, { name: 'system.add' }));
    await pollOnce();
    expect(await world().desk.acknowledge(eventId(2), OPERATOR)).toMatchObject({ kind: 'noted' });
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

describe('an alert', () => {
  it('is one card that takes what comes in the same poll and later ones', async () => {
    fail(2, 3, 4);
    expect((await pollOnce()).alerts).toBe(3);
    await world().clock.advance(10 * HOUR);
    fail(5);
    await pollOnce();
    expect(await on(5)).toEqual({ number: 2, members: 4, devices: 4, first: [2, 3, 4, 5] });
    expect(await world().store.cards.get('notice:patch-failed-2')).toMatchObject({ wantedRevision: 2 });
    for (const event of [3, 4, 5])
      expect(await world().store.cards.get(`notice:patch-failed-${event}`)).toBeNull();
  });

  it('that reports no problem takes others for a quarter of an hour', async () => {
    await world().desk.subscribe({ ...TO_TEAM, kinds: ['device-removed'] });
    const removed = (...ids: readonly number[]) => {
      for (const id of ids)
        world().log.addEvent(aFleetEvent(id, { name: 'system.delete', deviceId: deviceId(id), patches: [] }));
    };
    removed(2);
    await pollOnce();
    await world().clock.advance(15 * MINUTE - 1);
    removed(3);
    await pollOnce();
    await world().clock.advance(1);
    removed(4, 5);
    await pollOnce();
    expect([await on(3, TEAM), await on(5, TEAM)]).toMatchObject([
      { number: 2, members: 2 },
      { number: 4, members: 2 },
    ]);
  });

  it('is posted again with what is new where Slack gave its card up', async () => {
    fail(2);
    await pollOnce();
    const card = { key: 'notice:patch-failed-2', ts: null, wantedRevision: 1 } as const;
    expect(await world().store.cards.giveUp(card, 'message_not_found')).toBe(true);
    fail(3);
    await pollOnce();
    expect(await world().store.cards.get(card.key)).toMatchObject({ failure: null, wantedRevision: 2 });
    expect(await on(3)).toMatchObject({ members: 2 });
  });

  it('of a channel that the configuration file names no more takes nothing new', async () => {
    fail(2);
    await pollOnce();
    const channels = { ...CHANNELS, patchAlerts: TEAM };
    fail(3);
    await pollOnce({ channels });
    fail(4);
    await pollOnce({ channels });
    expect(await on(4, TEAM)).toEqual({ number: 3, members: 2, devices: 2, first: [3, 4] });
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
    expect(await on(2)).toMatchObject({ members: 3 });
    expect(await world().store.cards.get('notice:patch-failed-2')).toMatchObject({ wantedRevision: 2 });
  });

  it('counts a device that fails again once, and how often it failed', async () => {
    world().log.addEvent(aFleetEvent(2));
    world().log.addEvent(aFleetEvent(3));
    await pollOnce();
    expect(await alertOf(3)).toMatchObject({ number: 2, members: 1, devices: 1, failures: 2 });
  });
});

describe('the name of a device', () => {
  const namesOf = async (event: number) => (await alertOf(event))?.shown.map(({ deviceName }) => deviceName);

  it('is the present one that the index has, else that of the log', async () => {
    fail(2, 3);
    await pollOnce({ displayName: (device) => (device === deviceId(2) ? 'Front door' : null) });
    expect(await namesOf(2)).toEqual(['Front door', 'web-3']);
  });
});

describe('subscriptions', () => {
  it('have a card of their own in their channel, beside that of the configuration file', async () => {
    await subscribe();
    fail(2, 3);
    await pollOnce();
    expect(await on(2)).toMatchObject({ members: 2 });
    expect(await on(2, TEAM)).toMatchObject({ members: 2 });
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
    expect((await alertsIn(2)).toSorted()).toEqual([ALERTS, 'D0UVIEWER']);
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
    expect(await on(2)).toMatchObject({ members: 3 });
    expect(await on(3, TEAM)).toEqual({ number: 2, members: 2, devices: 2, first: [3, 4] });
  });

  it('end with the next alert', async () => {
    const subscribed = await subscribe();
    if (subscribed.kind === 'full') throw new Error('full');
    await world().desk.unsubscribe(subscribed.subscription.number, OPERATOR);
    fail(2);
    await pollOnce();
    expect(await alertsIn(2)).toEqual([ALERTS]);
  });

  it('keep what nobody wants out of the store', async () => {
    world().log.addEvent(aFleetEvent(2, { name: 'system.delete' }));
    expect(await pollOnce()).toEqual({ taken: 1, alerts: 0 });
    expect(await alertOf(2)).toBeNull();
  });
});

describe('a silence', () => {
  const over = (number: number, channel = ALERTS) => world().store.cards.get(`silence:${number}@${channel}`);

  it('holds alerts back with its number, posts none, and says their count where they belong', async () => {
    await subscribe();
    const { number } = await silence();
    fail(2, 3);
    await pollOnce();
    expect((await alertsIn(2)).toSorted()).toEqual([ALERTS, TEAM]);
    expect(await alertOf(2)).toMatchObject({ heldBy: number, members: 2, card: null });
    expect(await alertOf(2, ALERTS)).toBeNull();
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

  it('holds a member that fails again once, and posts its next failure after the end', async () => {
    const { number } = await silence();
    const again = (event: number) =>
      world().log.addEvent(aFleetEvent(event, { deviceId: deviceId(2), deviceName: 'web-2' }));
    again(2);
    await pollOnce();
    again(3);
    await pollOnce();
    expect(await world().store.silences.get(number)).toMatchObject({ kept: 1 });
    expect(await world().store.cards.get('notice:patch-failed-2')).toBeNull();
    await world().desk.unsilence(number, OPERATOR);
    again(4);
    await pollOnce();
    expect(await alertOf(4, ALERTS)).toMatchObject({ number: 2, failures: 3 });
    expect(await world().store.cards.get('notice:patch-failed-2')).toMatchObject({ wantedRevision: 1 });
  });

  it('counts what fails again on a card that is posted, and leaves the card as it is', async () => {
    const again = (event: number) =>
      world().log.addEvent(aFleetEvent(event, { deviceId: deviceId(2), deviceName: 'web-2' }));
    again(2);
    await pollOnce();
    const { number } = await silence(ofDevice(2));
    again(3);
    again(4);
    await pollOnce();
    expect(await world().store.silences.get(number)).toMatchObject({ kept: 1 });
    expect(await alertOf(2, ALERTS)).toMatchObject({ failures: 3 });
    expect(await world().store.cards.get('notice:patch-failed-2')).toMatchObject({ wantedRevision: 1 });
    await world().desk.unsilence(number, OPERATOR);
    again(5);
    await pollOnce();
    expect(await world().store.deliveries.silencedCounts(number, ALERTS)).toEqual([
      { kind: 'patch-failed', alerts: 1 },
    ]);
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
    expect(await on(2)).toMatchObject({ members: 1 });
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
    expect(await on(3)).toMatchObject({ members: 1, first: [3] });
  });
});
