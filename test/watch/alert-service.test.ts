/** Acknowledging alerts, and what the audit records of it. */
import { describe, expect, it } from 'vitest';
import { HOUR, instant } from '../../src/lib/clock.ts';
import { eventId, personId } from '../../src/lib/ids.ts';
import { ALERTS, fail, id, OPERATOR, pollOnce, silence, subscribe, world } from './alert-setup.ts';
import { aFleetEvent } from './simulated-event-log.ts';

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
