/** Many cards whose posts had no answer, in a channel with a long history. */
import { describe, expect, it } from 'vitest';
import { HOUR, later, MINUTE } from '../../../src/clock.ts';
import { messageTs } from '../../../src/ids.ts';
import type { CardKey } from '../../../src/store/records.ts';
import { CHANNEL, settle, wantOther, world } from './carded.ts';

const LOST = { kind: 'uncertain', detail: 'TimeoutError', inFlight: true } as const;
const CARDS = Array.from({ length: 300 }, (_, at): CardKey => `notice:n${at}`);

/** What others wrote in the channel, as long ago as this. */
function chatter(messages: number, agoMs: number): void {
  const at = later(world().clock.now(), -agoMs);
  for (let index = 0; index < messages; index += 1)
    world().web.messages.push({
      ...world().drawn(),
      ...{ channel: CHANNEL, ts: messageTs(`0.${index}`), at, edits: 0, botId: 'B0OTHER' },
    });
}
const shown = () =>
  new Set(
    world()
      .web.messages.filter(({ botId }) => botId === undefined)
      .map(({ metadata }) => metadata.event_payload['key']),
  );

describe('alerts whose posts had no answer', () => {
  it('are all posted once after an outage, however much was written in the channel since', async () => {
    world().web.next('post', ...CARDS.map(() => LOST));
    for (const key of CARDS) await wantOther(key);
    await settle(MINUTE);
    expect(world().web.posts()).toBe(CARDS.length);
    world().passed += MINUTE;
    chatter(2_500, 0);
    await settle(8 * MINUTE);
    expect(shown().size).toBe(CARDS.length);
    expect(world().web.posts()).toBe(2 * CARDS.length);
  });

  it('are looked for by a few readings of the channel for all of them together', async () => {
    world().web.next('post', ...CARDS.map(() => LOST));
    for (const key of CARDS) await wantOther(key);
    await settle(MINUTE);
    world().passed += MINUTE;
    const before = world().web.readings();
    await settle(8 * MINUTE);
    expect(shown().size).toBe(CARDS.length);
    expect(world().web.readings() - before).toBeLessThan(20);
  });

  it('of long ago need no reading of all that was written before and since', async () => {
    chatter(5_000, 40 * 24 * HOUR);
    world().web.next('post', LOST);
    await wantOther('notice:n1');
    await settle(MINUTE);
    world().passed += MINUTE;
    const before = world().web.readings();
    await settle(HOUR);
    expect(shown().size).toBe(1);
    expect(world().web.readings() - before).toBeLessThan(3);
  });

  it('are posted at once where there was no connection, since nothing was sent', async () => {
    world().web.next('post', { kind: 'unsent', detail: 'ECONNREFUSED' });
    await wantOther('notice:n1');
    await settle(MINUTE);
    expect(shown().size).toBe(1);
    expect(world().web.readings()).toBe(0);
  });
});
