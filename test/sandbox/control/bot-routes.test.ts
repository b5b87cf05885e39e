/** Control routes for the product's processes. */
import { expect, test } from 'vitest';
import { callControl, fakeControl } from './fake-services.ts';

type Town = ReturnType<typeof fakeControl>;

async function answerOf(fakes: Town, method: string, path: string, body?: unknown) {
  const response = await callControl(fakes, method, path, body);
  return { status: response.status, ...((await response.json()) as Record<string, unknown>) };
}

test.each([
  [{ do: 'stop' }, ['stop', {}], false],
  [{ do: 'kill', index: 1 }, ['kill', { index: 1 }], false],
  [{ do: 'pause', count: 1 }, ['pause', { count: 1 }], true],
  [{ do: 'resume' }, ['resume', {}], true],
  [{ do: 'hangup' }, ['hangup', {}], true],
  [{ do: 'start', count: 2 }, ['start', { count: 2 }], true],
  [{ do: 'start', skew: '+2m' }, ['start', { skewMs: 120_000 }], true],
  [{ do: 'start', index: 1, skew: '-30s' }, ['start', { index: 1, skewMs: -30_000 }], true],
])('stops, kills, pauses, hangs up and starts the bot: %j', async (order, asked, running) => {
  const control = fakeControl(import.meta.dirname);
  expect(await answerOf(control, 'POST', '/sandbox/bot', order)).toMatchObject({ status: 200, ok: true });
  expect(control.asked).toEqual([asked]);
  expect(await answerOf(control, 'GET', '/sandbox/state')).toMatchObject({ bot: { running } });
});

test('writes the configuration file and says what is wrong with it', async () => {
  const control = fakeControl(import.meta.dirname);
  const write = (body: unknown) => answerOf(control, 'POST', '/sandbox/configuration', body);
  expect(await answerOf(control, 'GET', '/sandbox/configuration')).toEqual({
    status: 200,
    text: 'roles: {}',
  });
  expect(await write({ text: 'roles: {}\n' })).toEqual({ status: 200, ok: true, problems: [] });
  const problems = ['line 1, column 1: a fault'];
  expect(await write({ text: '' })).toEqual({ status: 200, ok: false, problems });
  expect(await write({})).toEqual({ status: 400, ok: false, error: 'text is missing' });
  expect(control.asked).toEqual([
    ['configuration', 'roles: {}\n'],
    ['configuration', ''],
  ]);
});
