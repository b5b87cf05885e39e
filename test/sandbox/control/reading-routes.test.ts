/** What the page reads besides the contract's calls. */
import { describe, expect, test } from 'vitest';
import { fakeControl, health, message } from './fake-services.ts';

function start() {
  const { control, asked } = fakeControl(import.meta.dirname);
  const ask = async (path: string, body?: unknown) =>
    control.fetch(
      new Request(`http://127.0.0.1:4000/sandbox/${path}`, {
        headers: { host: '127.0.0.1:4000' },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      }),
    );
  return { ask, asked };
}

describe('messages', () => {
  test('are all of a channel unless a part is requested', async () => {
    const { ask } = start();
    expect(await (await ask('messages?channel=ops&user=operator')).json()).toEqual({ messages: [message] });
    const part = await ask('messages?channel=ops&user=operator&limit=10&replies=false&since=4');
    expect(await part.json()).toEqual({
      messages: [message],
      removed: [],
      whole: true,
      more: false,
      cursor: 1,
    });
  });

  test.each(['', '&limit=5'])('of a channel that one cannot see are refused%s', async (part) => {
    const answer = await start().ask(`messages?channel=ops&user=outsider${part}`);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { ok: false, error: 'outsider cannot see ops' },
    ]);
  });

  test.each(['limit=0', 'limit=1001', 'limit=x', 'before=yesterday', 'replies=maybe', 'since=-1'])(
    'are refused for %s',
    async (part) => {
      const answer = await start().ask(`messages?channel=ops&user=operator&${part}`);
      expect(answer.status).toBe(400);
    },
  );
});

test('a file is a download and never a page', async () => {
  const { ask } = start();
  const answer = await ask('file?user=operator&id=F1');
  expect(await answer.text()).toBe('a;b');
  expect(answer.headers.get('content-type')).toBe('application/octet-stream');
  expect(answer.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''r%C3%A4port.csv");
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect((await ask('file?user=operator&id=F2')).status).toBe(404);
});

test('devices are found by a part of the name', async () => {
  const answer = await start().ask('devices?q=web');
  expect(await answer.json()).toEqual({ devices: [{ value: 'web-01', label: 'web-01 · #1' }] });
});

test('the health of the bot is which run and which are paused, how the last ended, and what was written', async () => {
  const answer = await start().ask('bot');
  expect(await answer.json()).toEqual({
    running: 1,
    places: [0],
    paused: [],
    last_exit: health.lastExit,
    lines: health.lines,
  });
});

test('a person joins', async () => {
  const { ask, asked } = start();
  await ask('join', { user: 'outsider', channel: 'ops' });
  expect(asked).toEqual([['join', { user: 'outsider', channel: 'ops' }]]);
});
