import { describe, expect, it } from 'vitest';
import { CHANNEL, enqueueCard, enqueueOtherCard, KEY, outboxWorld, settleCalls } from './outbox-harness.ts';

describe('waiting for a card', () => {
  it('ends where it was posted', async () => {
    const waited = outboxWorld().cards.whenPosted(KEY, 5_000);
    await enqueueCard();
    await settleCalls();
    expect(await waited).toEqual({ kind: 'posted', message: { channel: CHANNEL, ts: '1.000001' } });
    expect(await outboxWorld().cards.whenPosted(KEY, 5_000)).toMatchObject({ kind: 'posted' });
  });

  it('ends when it was refused', async () => {
    outboxWorld().web.next('post', { kind: 'refused', error: 'is_archived' });
    const waited = outboxWorld().cards.whenPosted('approval:a1', 5_000);
    await enqueueOtherCard('approval:a1');
    await settleCalls();
    expect(await waited).toEqual({ kind: 'refused', error: 'is_archived' });
  });

  it('ends as delayed when it is not posted in time', async () => {
    expect(await outboxWorld().cards.whenPosted(KEY, 1)).toEqual({ kind: 'delayed' });
  });
});
