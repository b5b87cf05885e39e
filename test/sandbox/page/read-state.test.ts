/** Read messages of a person, the page's own reads, and channels that the person is not in. */

import { getRequestListener } from '@hono/node-server';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { followMoves } from '../../../src/sandbox/clock-sync.ts';
import { createControl } from '../../../src/sandbox/control/control.ts';
import { listenOnLoopback } from '../../../src/sandbox/wire/listen.ts';
import { fakeBots, fakeManagement, health } from '../control/fake-services.ts';
import { startWorkspace } from '../slack/harness/workspace-harness.ts';
import { launchBrowser } from './harness/browser.ts';
import { personId } from './harness/fake-control.ts';
import { pageStage } from './harness/page-harness.ts';
import { botMessage, mrkdwn, personMessage, tsBefore } from './samples/messages.ts';

const { control, open, openWith } = pageStage();

describe('unread', () => {
  test('mentions are counted in a badge, other messages are a dot, own ones are nothing', async () => {
    const page = await open();
    const later = () => tsBefore(-1);
    control().channels.set('random', [personMessage('viewer', 'hm', { ts: later() })]);
    control().channels.set('approvals', [
      botMessage({ ts: later(), text: `<@${personId('operator')}> look` }),
      botMessage({ ts: later(), text: '<!here> look all' }),
      botMessage({ ts: later(), text: 'by the way' }),
    ]);
    control().channels.set('new-devices', [personMessage('operator', 'mine', { ts: later() })]);
    control().channels.set('@operator', [botMessage({ ts: later(), text: 'for you' })]);
    control().changed();
    const mark = (channel: string) => page.locator(`[data-channel="${channel}"] .unread-mark`);
    await expect.poll(() => mark('approvals').textContent()).toBe('2 for you, 3 unread');
    await expect.poll(() => mark('random').textContent()).toBe('unread');
    await expect.poll(() => mark('@operator').textContent()).toBe('1 for you, 1 unread');
    await expect.poll(() => mark('new-devices').isVisible()).toBe(false);
  });

  test('the line “New” is above newer messages, also after a reload, and is gone the next time', async () => {
    const old = botMessage({ text: 'old news' });
    control().channels.set('random', [old]);
    const page = await open();
    await page.locator('[data-channel=random]').click();
    await page.getByText('old news').waitFor();
    await expect.poll(() => page.locator('.new').count()).toBe(0);
    await page.locator('[data-channel=ops]').click();
    await page.locator('[data-channel=ops][aria-current]').waitFor();
    const news = personMessage('viewer', 'quite fresh', { ts: tsBefore(-1) });
    control().channels.set('random', [old, news]);
    control().changed();
    await page.locator('[data-channel=random][data-unread]').waitFor();
    await page.reload();
    await page.locator('[data-channel=random][data-unread]').click();
    await page.locator(`.new + [data-ts="${news.ts}"]`).waitFor();
    await page.locator('[data-channel=ops]').click();
    await page.locator('[data-channel=ops][aria-current]').waitFor();
    await page.locator('[data-channel=random]').click();
    await page.getByText('quite fresh').waitFor();
    await expect.poll(() => page.locator('.new').count()).toBe(0);
  });
});

describe('reading', () => {
  test('asks once for the newest messages, then only for what has changed', async () => {
    const page = await openWith(botMessage({ text: 'the very first' }));
    await page.getByText('the very first').waitFor();
    const reads = () => control().asked.filter((path) => path.includes('channel=ops'));
    await expect.poll(() => reads().length).toBeGreaterThan(0);
    expect(reads()[0]).toContain('limit=100');
    const before = reads().length;
    control().changed();
    await expect.poll(() => reads().length).toBeGreaterThan(before);
    expect(
      reads()
        .slice(before)
        .every((path) => path.includes('since=1')),
    ).toBe(true);
  });

  test('a thread is read separately and shows its replies', async () => {
    const parent = personMessage('viewer', 'a question');
    const reply = { thread_ts: parent.ts };
    const page = await openWith(
      parent,
      personMessage('approver', 'an answer', reply),
      personMessage('approver', 'another', reply),
    );
    await page.getByText('2 replies').waitFor();
    await expect.poll(() => page.locator('#messages .message').count()).toBe(1);
    await page.locator('.thread-bar').click();
    await expect.poll(() => page.locator('#thread .message').count()).toBe(3);
    await page.locator('#thread [data-composer]').fill('thanks');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => control().posts.at(-1)?.body)
      .toEqual({ user: 'operator', channel: 'ops', text: 'thanks', thread_ts: parent.ts });
  });

  test('a file is a card that downloads it', async () => {
    const files = [{ id: 'F1', name: 'devices.csv', title: 'Devices', size: 4200 }];
    const page = await openWith(botMessage({ files }));
    const card = page.getByRole('link', { name: 'Download devices.csv' });
    await expect.poll(() => card.textContent()).toBe('Devices4 kB');
    await expect.poll(() => card.getAttribute('href')).toBe('/sandbox/file?user=operator&id=F1');
    await expect.poll(() => card.getAttribute('download')).toBe('devices.csv');
  });

  test('what a link shows is drawn below its message', async () => {
    const blocks = [{ type: 'section', block_id: 's', text: mrkdwn('*web-01* is online') }];
    const attachments = [{ fallback: 'web-01', blocks }];
    const page = await openWith(personMessage('viewer', 'https://a.example/1', { attachments }));
    await expect.poll(() => page.locator('.attachment').textContent()).toBe('web-01 is online');
    await expect.poll(() => page.locator('.attachment b').textContent()).toBe('web-01');
  });
});

test('a channel that one is not in can be read, not written to, and joined', async () => {
  control().strangers.add('outsider/ops');
  control().channels.set('ops', [botMessage({ text: 'public words' })]);
  const page = await open('outsider/ops');
  await page.getByText('public words').waitFor();
  await page.getByText('You’re viewing #ops, but you aren’t a member.').waitFor();
  await expect.poll(() => page.locator('#composer').isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('combobox', { name: 'Message #ops' }).waitFor();
  expect(control().posts).toEqual([
    { call: 'POST /sandbox/join', body: { user: 'outsider', channel: 'ops' } },
  ]);
});

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
