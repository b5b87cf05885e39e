/** Who takes an alert, and what the audit says of the desk. */
import { describe, expect, it } from 'vitest';
import { instant } from '../../src/clock.ts';
import { personId } from '../../src/ids.ts';
import { aFleetEvent } from './event-log.ts';
import { fail, id, OPERATOR, pollOnce, silence, subscribe, world } from './watched.ts';

describe('taking an alert', () => {
  it('stands on every card that it is on, and the first has it', async () => {
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
    expect(await world().desk.acknowledge(three.eventId, personId('UOTHER'))).toMatchObject({
      kind: 'already',
      alert: { acknowledgedBy: OPERATOR },
    });
  });

  it('of which nobody was told is not there', async () => {
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
