/** Envelopes over Socket Mode: invalid ones are acknowledged, and the process and its connection survive. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { command, enveloped, startSocket } from './receiver-harness.ts';

const press = { type: 'block_actions', user: null, actions: null };

describe('an envelope', () => {
  it('with a command is acknowledged and heard', async () => {
    const { send, acked, heard } = await startSocket();
    const { id, text } = enveloped('slash_commands', command);
    send(text);
    await expect.poll(() => heard).toMatchObject([{ text: 'device web-01' }]);
    await expect.poll(() => acked.has(id)).toBe(true);
  });

  it.each<[string, unknown, unknown]>([
    ['without a payload', 'interactive', undefined],
    ['whose payload is null', 'interactive', null],
    ['whose payload is a list', 'slash_commands', [command]],
    ['whose payload is a number', 'slash_commands', 7],
    ['of no type', undefined, command],
    ['of an unknown type', 'unheard_of', command],
    ['of an event that is null', 'events_api', null],
    ['of an event without a body', 'events_api', { type: 'event_callback', event: null }],
    ['of an event without a type', 'events_api', { type: 'event_callback', event: {} }],
    ['of an event named like a signal', 'events_api', { type: 'event_callback', event: { type: 'close' } }],
    [
      'of an event named like a message',
      'events_api',
      { type: 'event_callback', event: { type: 'ws_message' } },
    ],
    ['of a press by nobody', 'interactive', press],
    ['of no kind', 'interactive', {}],
  ])('%s is acknowledged, and nothing is done', async (_, type, payload) => {
    const { send, acked, heard, connections } = await startSocket();
    const odd = enveloped(type, payload);
    send(odd.text);
    await expect.poll(() => acked.has(odd.id)).toBe(true);
    const good = enveloped('slash_commands', command);
    send(good.text);
    await expect.poll(() => heard).toHaveLength(1);
    expect(connections()).toBe(2);
  });

  it('that is invalid is ignored', async () => {
    const { send, heard, connections, lines } = await startSocket();
    for (const text of [
      'null',
      '7',
      '[]',
      '{',
      '',
      '{}',
      '{"type":null}',
      '{"envelope_id":7,"type":"interactive"}',
    ])
      send(text);
    send(enveloped('slash_commands', command).text);
    await expect.poll(() => heard).toHaveLength(1);
    expect(connections()).toBe(2);
    expect(lines.join('')).not.toContain('stack');
  });

  it('of any JSON leaves the connection as it is', { timeout: 60_000 }, async () => {
    const { send, acked, heard, connections } = await startSocket();
    const type = fc.constantFrom('events_api', 'interactive', 'slash_commands', 'toString', 'error', 'close');
    const event = fc.record({
      type: fc.constantFrom('event_callback'),
      event: fc.jsonValue({ maxDepth: 3 }),
    });
    const payload = fc.oneof(fc.jsonValue({ maxDepth: 4 }), event);
    await fc.assert(
      fc.asyncProperty(type, payload, async (kind, value) => {
        const { id, text } = enveloped(kind, value);
        send(text);
        await expect.poll(() => acked.has(id), { interval: 1 }).toBe(true);
      }),
      { numRuns: 150 },
    );
    heard.length = 0;
    send(enveloped('slash_commands', command).text);
    await expect.poll(() => heard).toHaveLength(1);
    expect(connections()).toBe(2);
  });
});
