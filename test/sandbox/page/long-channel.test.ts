/** A channel of thousands of messages, over the real workspace: read and rendered in parts. */
import { getRequestListener } from '@hono/node-server';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { followMoves } from '../../../src/sandbox/clock-sync.ts';
import { createControl } from '../../../src/sandbox/control/control.ts';
import { listenOnLoopback } from '../../../src/sandbox/wire/listen.ts';
import { fakeBots, fakeManagement, health } from '../control/fake-services.ts';
import { startWorkspace } from '../slack/harness/workspace-harness.ts';
import { launchBrowser } from './harness/browser.ts';

const PAGE_FOLDER = new URL('../../../src/sandbox/slack/page', import.meta.url).pathname;
const MANY = 10_000;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('ten thousand messages: the newest are drawn, earlier ones come while one scrolls up, and nothing jumps', async () => {
  const { workspace, clock, wire } = await startWorkspace();
  const say = (text: string) => workspace.message({ user: 'viewer', channel: 'ops', text });
  for (let at = 0; at < MANY; at += 1) await say(`line ${at}`);
  const { fetch } = createControl({
    clock,
    wire,
    management: fakeManagement(),
    workspaceState: { workspace, bots: fakeBots(), botUrl: () => null, health: () => health },
    ...followMoves(
      (ms) => clock.advance(ms),
      { follow: async () => undefined },
      () => undefined,
    ),
    reset: async () => undefined,
    pageFolder: PAGE_FOLDER,
  });
  const sizes: number[] = [];
  const measured = async (request: Request): Promise<Response> => {
    const answer = await fetch(request);
    if (new URL(request.url).pathname === '/sandbox/messages')
      sizes.push((await answer.clone().arrayBuffer()).byteLength);
    return answer;
  };
  const listener = getRequestListener(measured, { overrideGlobalObjects: false });
  const { url, stop } = await listenOnLoopback((server) => server.on('request', listener));
  onTestFinished(stop);
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  await page.goto(`${url}/#operator/ops`);
  await page.getByText(`line ${MANY - 1}`, { exact: true }).waitFor();
  const drawn = page.locator('#messages .message');
  await expect.poll(() => drawn.count()).toBe(100);

  const scroller = page.locator('#scroller');
  const held = page.getByText(`line ${MANY - 100}`, { exact: true });
  await scroller.evaluate((node) => node.scrollTo(0, 60));
  const before = await held.boundingBox();
  await expect.poll(() => drawn.count()).toBe(200);
  const moved = async () => Math.abs(((await held.boundingBox())?.y ?? 0) - (before?.y ?? 0));
  await expect.poll(moved).toBeLessThan(80);

  const read = sizes.length;
  await say('one more');
  await page.getByRole('button', { name: 'New messages' }).click();
  await page.getByText('one more', { exact: true }).waitFor();
  // The message was sent, not the channel.
  expect(Math.max(...sizes.slice(read))).toBeLessThan(2_000);
  expect(Math.max(...sizes)).toBeLessThan(100_000);
});
