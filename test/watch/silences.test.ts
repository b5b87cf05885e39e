/** What a silence holds back, what people see of it, and how it ends. */
import { describe, expect, it } from 'vitest';
import { HOUR } from '../../src/lib/clock.ts';
import { channelId, deviceId, groupId, personId } from '../../src/lib/ids.ts';
import { ANY } from './alert-builders.ts';
import {
  ALERTS,
  CHANNELS,
  enqueuedAlert,
  fail,
  id,
  OPERATOR,
  ofDevice,
  on,
  pollOnce,
  silence,
  subscribe,
  TEAM,
  world,
} from './alert-setup.ts';

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
