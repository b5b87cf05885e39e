import { beforeEach, describe, expect, test } from 'vitest';
import { callControl, fakeControl } from './fake-services.ts';

let fakes: ReturnType<typeof fakeControl>;
beforeEach(() => {
  fakes = fakeControl(import.meta.dirname);
});

describe('who may control the sandbox', () => {
  test.each(['127.0.0.1:3000', 'localhost:3000', '[::1]:3000', '127.0.0.1'])(
    'requests to %s are taken',
    async (host) => {
      expect((await callControl(fakes, 'GET', '/sandbox/state', undefined, { host })).status).toBe(200);
    },
  );

  test.each([
    'evil.example',
    'evil.example:3000',
    '127.0.0.1.evil.example',
    '0.0.0.0:3000',
    'localhost.evil',
    '',
  ])('requests to the name %j are refused', async (host) => {
    const response = await callControl(fakes, 'POST', '/sandbox/reset', {}, { host });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ ok: false });
    expect(fakes.asked).toEqual([]);
  });

  test('the own page is welcome', async () => {
    const { status } = await callControl(
      fakes,
      'POST',
      '/sandbox/reset',
      {},
      { origin: 'http://127.0.0.1:3000' },
    );
    expect(status).toBe(200);
  });

  test.each([
    'https://evil.example',
    'null',
    'http://127.0.0.1:3001',
    'http://localhost:3000',
    'https://127.0.0.1:3000',
  ])('a page of %s is not', async (origin) => {
    expect((await callControl(fakes, 'POST', '/sandbox/reset', {}, { origin })).status).toBe(403);
    expect(fakes.asked).toEqual([]);
  });
});
