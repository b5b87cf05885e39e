import { describe, expect, it } from 'vitest';
import { CHANNEL, KEY, settle, want, wantOther, world } from './carded.ts';

describe('waiting for a card', () => {
  it('ends where it was posted', async () => {
    const waited = world().cards.whenPosted(KEY, 5_000);
    await want();
    await settle();
    expect(await waited).toEqual({ kind: 'posted', place: { channel: CHANNEL, ts: '1.000001' } });
    expect(await world().cards.whenPosted(KEY, 5_000)).toMatchObject({ kind: 'posted' });
  });

  it('ends when it was refused', async () => {
    world().web.next('post', { kind: 'refused', error: 'is_archived' });
    const waited = world().cards.whenPosted('approval:a1', 5_000);
    await wantOther('approval:a1');
    await settle();
    expect(await waited).toEqual({ kind: 'refused', error: 'is_archived' });
  });

  it('ends as delayed when nothing comes of it in time', async () => {
    expect(await world().cards.whenPosted(KEY, 1)).toEqual({ kind: 'delayed' });
  });
});
