/** From events to cards: grouping, routing, and that no alert is lost or doubled. */
import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/lib/clock.ts';
import { alertId, channelId, deviceId, groupId, personId } from '../../src/lib/ids.ts';
import { ANY } from './alert-builders.ts';
import { ALERTS, CHANNELS, fail, id, OPERATOR, on, pollOnce, subscribe, TEAM, world } from './alert-setup.ts';
import { aFleetEvent } from './simulated-event-log.ts';

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
