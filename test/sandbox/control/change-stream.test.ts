import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Served } from '../../../src/sandbox/contracts/services.ts';
import { type ChangeStream, createChangeStream } from '../../../src/sandbox/control/change-stream.ts';
import { listenOnLoopback } from '../../../src/sandbox/wire/listen.ts';
import { until } from '../../harness/until.ts';
import { fakeControl } from './fake-services.ts';

let served: Served | undefined;
afterEach(() => served?.stop());

async function serve(fetch: (request: Request) => Response | Promise<Response>) {
  served = await listenOnLoopback((server) => {
    server.on('request', getRequestListener(fetch, { overrideGlobalObjects: false }));
  });
  return served.url;
}

/** Reads events until it is stopped. */
async function subscribe(url: string, headers: Readonly<Record<string, string>> = {}) {
  const leave = new AbortController();
  const response = await fetch(url, { signal: leave.signal, headers });
  let text = '';
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  })().catch(() => undefined);
  return {
    type: response.headers.get('content-type'),
    heard: () => text.match(/^event: change$/gm)?.length ?? 0,
    text: () => text,
    async leave() {
      leave.abort();
      await reading;
    },
  };
}

describe('the stream of changes', () => {
  let changes: ChangeStream;
  let url: string;
  /** The channel of each message change so far. */
  let moved: string[];
  beforeEach(async () => {
    moved = [];
    changes = createChangeStream({
      cursor: () => moved.length,
      channelsSince: (cursor) => (cursor > moved.length ? null : moved.slice(cursor)),
    });
    url = await serve(new Hono().get('/', changes.stream).fetch);
  });

  test('is server-sent events, open at once', async () => {
    const page = await subscribe(url);
    expect(page.type).toContain('text/event-stream');
    await until(() => page.text().includes('retry: 1000'));
    await page.leave();
  });

  test('sends every page one event for changes that come together', async () => {
    const pages = await Promise.all([subscribe(url), subscribe(url), subscribe(url)]);
    for (let change = 0; change < 50; change += 1) changes.announce();
    await until(() => pages.every((page) => page.heard() > 0));
    expect(pages.map((page) => page.heard())).toEqual([1, 1, 1]);
    changes.announce();
    await until(() => pages.every((page) => page.heard() === 2));
    await Promise.all(pages.map((page) => page.leave()));
  });

  test('says which channels have changed, and whether anything else has', async () => {
    const page = await subscribe(url);
    await until(() => changes.listeners() === 1);
    moved.push('C1');
    changes.announce();
    await until(() => page.heard() === 1);
    expect(page.text()).toContain('event: change\ndata: {"channels":["C1"],"others":false}\nid: 1\n');
    changes.announce();
    await until(() => page.heard() === 2);
    expect(page.text()).toContain('data: {"channels":[],"others":true}');
    await page.leave();
  });

  test.each([
    ['1', '{"channels":["C2"],"others":false}'],
    ['99', '{"channels":null,"others":false}'],
  ])('sends a page that reconnects after event %s what it missed', async (last, data) => {
    moved.push('C1', 'C2');
    const page = await subscribe(url, { 'last-event-id': last });
    await until(() => page.heard() === 1);
    expect(page.text()).toContain(`event: change\ndata: ${data}\nid: 2\n`);
    await page.leave();
  });

  test('drops a page that has left', async () => {
    const page = await subscribe(url);
    await until(() => changes.listeners() === 1);
    await page.leave();
    await until(() => changes.listeners() === 0);
  });

  test('ends when the server stops', async () => {
    const page = await subscribe(url);
    await until(() => changes.listeners() === 1);
    await served?.stop();
    await until(() => changes.listeners() === 0);
    await page.leave();
  });
});

describe('what is announced', () => {
  test('changes in the workspace, and whatever is done through the interface', async () => {
    const { control, workspace } = fakeControl(import.meta.dirname);
    const url = await serve(control.fetch);
    const page = await subscribe(`${url}/sandbox/changes`);
    await until(() => page.text() !== '');
    workspace.change();
    await until(() => page.heard() === 1);
    await fetch(`${url}/sandbox/clock`, { method: 'POST', body: '{"advance":"1m"}' });
    await until(() => page.heard() === 2);
    await page.leave();
  });
});
