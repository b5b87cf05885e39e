/** What is acknowledged, how often and where. */
import type { ReceiverEvent } from '@slack/bolt';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/lib/log.ts';
import type { SocketConnection } from '../../../src/slack/socket-mode/socket-receiver.ts';
import { createEnvelopes } from '../../../src/slack/socket-mode/socket-receiver.ts';

function start(process: (event: ReceiverEvent) => Promise<void>) {
  const sent: { readonly by: string; readonly text: string }[] = [];
  const closed = new Set<string>();
  const link = (by: string): SocketConnection => ({
    send: (text) => {
      if (closed.has(by)) return false;
      sent.push({ by, text });
      return true;
    },
    close: () => undefined,
  });
  const [one, two] = [link('one'), link('two')];
  const envelopes = createEnvelopes({ process, openConnections: () => [one, two], log: silentLog });
  return { envelopes, one, two, sent, closed };
}
const ACK = '{"envelope_id":"e1","payload":{}}';

describe('an envelope', () => {
  it('that comes twice is handled once, and acknowledged again', async () => {
    const events: ReceiverEvent[] = [];
    const { envelopes, one, two, sent } = start(async (event) => {
      events.push(event);
      await event.ack();
    });
    envelopes.accept({ id: 'e1', payload: { a: 1 } }, one);
    envelopes.accept({ id: 'e1', payload: { a: 1 } }, two);
    expect(events).toHaveLength(1);
    expect(sent).toEqual([
      { by: 'one', text: ACK },
      { by: 'two', text: ACK },
    ]);
  });

  it('is acknowledged once, however often a listener does it', async () => {
    const { envelopes, one, sent } = start(async (event) => {
      await event.ack({ text: 'hi' });
      await event.ack({ text: 'no' });
    });
    envelopes.accept({ id: 'e1', payload: {} }, one);
    await envelopes.settled(1_000);
    expect(sent).toEqual([{ by: 'one', text: '{"envelope_id":"e1","payload":{"text":"hi"}}' }]);
  });

  it('is not acknowledged with more than Slack takes in one frame', async () => {
    const { envelopes, one, sent } = start(async (event) => {
      await event.ack({ text: 'é'.repeat(10_240) });
    });
    envelopes.accept({ id: 'e1', payload: {} }, one);
    await envelopes.settled(60_000);
    expect(sent).toEqual([]);
  });

  it('whose connection is gone is acknowledged on another', async () => {
    const gate = Promise.withResolvers<void>();
    const { envelopes, one, sent, closed } = start(async (event) => {
      await gate.promise;
      await event.ack();
    });
    envelopes.accept({ id: 'e1', payload: {} }, one);
    closed.add('one');
    gate.resolve();
    await envelopes.settled(1_000);
    expect(sent).toEqual([{ by: 'two', text: ACK }]);
  });

  it.each([[null], ['words'], [[1, 2]], [7], [undefined]])(
    'with the payload %j is acknowledged and reaches nobody',
    async (payload) => {
      const events: ReceiverEvent[] = [];
      const { envelopes, one, sent } = start(async (event) => void events.push(event));
      envelopes.accept({ id: 'e1', payload }, one);
      expect([events, sent]).toEqual([[], [{ by: 'one', text: ACK }]]);
    },
  );

  it('that no listener wants is not waited for', async () => {
    const { envelopes, one, sent } = start(async () => undefined);
    envelopes.accept({ id: 'e1', payload: {} }, one);
    // Longer than the test may take.
    await envelopes.settled(60_000);
    expect(sent).toEqual([]);
  });

  it('whose listener fails ends nothing but itself', async () => {
    const { envelopes, one } = start(async () => {
      throw new Error('no');
    });
    envelopes.accept({ id: 'e1', payload: {} }, one);
    await envelopes.settled(60_000);
  });

  it('is ignored once the receiver has stopped', () => {
    const events: ReceiverEvent[] = [];
    const { envelopes, one, sent } = start(async (event) => void events.push(event));
    envelopes.stopAccepting();
    envelopes.accept({ id: 'e1', payload: {} }, one);
    expect([events, sent]).toEqual([[], []]);
  });
});
