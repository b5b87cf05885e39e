/** Many cards whose posts got no answer, in a channel with a long history. */
import { describe, expect, it } from 'vitest';
import { HOUR, later, MINUTE } from '../../../src/lib/clock.ts';
import { messageTs } from '../../../src/lib/ids.ts';
import type { CardKey } from '../../../src/store/port/records.ts';
import { CHANNEL, enqueueOtherCard, outboxWorld, settleCalls } from './outbox-harness.ts';

const LOST = { kind: 'uncertain', detail: 'TimeoutError', inFlight: true } as const;
const CARDS = Array.from({ length: 300 }, (_, at): CardKey => `notice:n${at}`);

/** Messages of others in the channel, from this long ago on. */
function addChatter(messages: number, agoMs: number): void {
  const at = later(outboxWorld().clock.now(), -agoMs);
  for (let index = 0; index < messages; index += 1)
    outboxWorld().web.messages.push({
      ...outboxWorld().drawn(),
      ...{ channel: CHANNEL, ts: messageTs(`0.${index}`), at, edits: 0, botId: 'B0OTHER' },
    });
}
const shown = () =>
  new Set(
    outboxWorld()
      .web.messages.filter(({ botId }) => botId === undefined)
      .map(({ metadata }) => metadata.event_payload['key']),
  );

describe('alerts whose posts had no answer', () => {
  it('are all posted once after an outage, however much was written in the channel since', async () => {
    outboxWorld().web.next('post', ...CARDS.map(() => LOST));
    for (const key of CARDS) await enqueueOtherCard(key);
    await settleCalls(MINUTE);
    expect(outboxWorld().web.posts()).toBe(CARDS.length);
    outboxWorld().passed += MINUTE;
    addChatter(2_500, 0);
    await settleCalls(8 * MINUTE);
    expect(shown().size).toBe(CARDS.length);
    expect(outboxWorld().web.posts()).toBe(2 * CARDS.length);
  });

  it('are searched for by a few reads of the channel for all of them', async () => {
    outboxWorld().web.next('post', ...CARDS.map(() => LOST));
    for (const key of CARDS) await enqueueOtherCard(key);
    await settleCalls(MINUTE);
    outboxWorld().passed += MINUTE;
    const before = outboxWorld().web.readings();
    await settleCalls(8 * MINUTE);
    expect(shown().size).toBe(CARDS.length);
    expect(outboxWorld().web.readings() - before).toBeLessThan(20);
  });

  it('of long ago need no reading of all that was written before and since', async () => {
    addChatter(5_000, 40 * 24 * HOUR);
    outboxWorld().web.next('post', LOST);
    await enqueueOtherCard('notice:n1');
    await settleCalls(MINUTE);
    outboxWorld().passed += MINUTE;
    const before = outboxWorld().web.readings();
    await settleCalls(HOUR);
    expect(shown().size).toBe(1);
    expect(outboxWorld().web.readings() - before).toBeLessThan(3);
  });

  it('are posted at once where there was no connection, since nothing was sent', async () => {
    outboxWorld().web.next('post', { kind: 'unsent', detail: 'ECONNREFUSED' });
    await enqueueOtherCard('notice:n1');
    await settleCalls(MINUTE);
    expect(shown().size).toBe(1);
    expect(outboxWorld().web.readings()).toBe(0);
  });
});
