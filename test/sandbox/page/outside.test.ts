import { expect, test } from 'vitest';
import { pageStage } from './harness/page-harness.ts';
import { attributes } from './harness/tabs.ts';
import { botMessage } from './samples/messages.ts';

const { control, open } = pageStage();

const orders: readonly (readonly [string, string, unknown])[] = [
  ['patch-fails', 'POST /sandbox/world', { do: 'patch-fails', device: 'web-02' }],
  ['installs-fail', 'POST /sandbox/world', { do: 'installs-fail' }],
  ['installs-work', 'POST /sandbox/world', { do: 'installs-work' }],
  ['storm', 'POST /sandbox/world', { do: 'storm', count: 200 }],
  ['device-offline', 'POST /sandbox/world', { do: 'device-offline', device: 'web-01' }],
  ['device-online', 'POST /sandbox/world', { do: 'device-online', device: 'web-01' }],
  ['device-added', 'POST /sandbox/world', { do: 'device-added' }],
  ['live', 'POST /sandbox/world', { do: 'live' }],
  ['quiet', 'POST /sandbox/world', { do: 'quiet' }],
  [
    'break',
    'POST /sandbox/fault',
    { service: 'management', match: 'GET /servers', kind: 'status', times: 20, status: 500 },
  ],
  ['repair', 'DELETE /sandbox/fault', null],
  [
    'throttle-slack',
    'POST /sandbox/fault',
    { service: 'slack', match: 'chat.postMessage', kind: 'throttle', times: 3, retry_after: 5 },
  ],
  ['bot-stop', 'POST /sandbox/bot', { do: 'stop' }],
  ['bot-kill', 'POST /sandbox/bot', { do: 'kill' }],
  ['bot-start', 'POST /sandbox/bot', { do: 'start' }],
  ['clock-31m', 'POST /sandbox/clock', { advance: '31m' }],
  ['clock-1d', 'POST /sandbox/clock', { advance: '1d' }],
];

test('each button requests from the sandbox what it says', async () => {
  const page = await open();
  for (const [id] of orders) {
    await page.locator(`[data-outside=${id}]`).click();
    await page.locator(`[data-outside=${id}]:not([aria-busy])`).waitFor();
  }
  expect(control().posts).toEqual(orders.map(([, call, body]) => ({ call, body })));
});

test('input is sent with the request, and the result is shown', async () => {
  control().answer('/sandbox/world', { ok: true, events: [4711] });
  const page = await open();
  const form = page.locator('form', { has: page.locator('[data-outside=patch-fails]') });
  await form.getByLabel('Device').fill('db-01');
  await form.getByLabel('Patch').fill('KB5055523');
  await form.getByLabel('Reason').fill('disk full');
  await form.getByLabel('Reason').press('Enter');
  await page.getByText('Make a patch fail: done, event 4711.').waitFor();
  expect(control().posts.at(-1)?.body).toEqual({
    do: 'patch-fails',
    device: 'db-01',
    patch: 'KB5055523',
    reason: 'disk full',
  });
  control().answer('/sandbox/world', { ok: false, error: 'no such device: db-01' });
  await form.getByRole('button', { name: 'Make a patch fail' }).click();
  await page.getByText('Make a patch fail failed: no such device: db-01').waitFor();
});

test('a slow service is broken with its delay', async () => {
  const page = await open();
  const form = page.locator('form', { has: page.locator('[data-outside=break]') });
  await form.getByLabel('Service').selectOption('slack');
  await form.getByLabel('Fault').selectOption('slow');
  await form.getByLabel('Times').fill('');
  await form.getByRole('button', { name: 'Break it' }).click();
  await expect
    .poll(() => control().posts.at(-1)?.body)
    .toEqual({ service: 'slack', match: 'POST /api/chat.postMessage', kind: 'slow', ms: 5000 });
});

test('the requests to break are those of the service, unless a person wrote which', async () => {
  const page = await open();
  const form = page.locator('form', { has: page.locator('[data-outside=break]') });
  const match = form.getByLabel('Requests');
  const offered = form.locator('datalist option');
  await expect
    .poll(() => attributes(offered, 'value'))
    .toEqual([
      'GET /servers',
      'POST /servers',
      'GET /events',
      'POST /api/chat.postMessage',
      'POST /api/chat.update',
    ]);
  await form.getByLabel('Service').selectOption('slack');
  await expect.poll(() => match.inputValue()).toBe('POST /api/chat.postMessage');
  await form.getByLabel('Service').selectOption('management');
  await expect.poll(() => match.inputValue()).toBe('GET /servers');
  await match.fill('GET /policies');
  await form.getByLabel('Service').selectOption('slack');
  await expect.poll(() => match.inputValue()).toBe('GET /policies');
});

test('active faults are listed and counted, even when nothing else happens', async () => {
  const page = await open();
  const lines = page.locator('[data-now=faults] li');
  await page.getByText('Nothing is broken.').waitFor();
  const broken = { service: 'management', match: 'GET /servers', kind: 'status', status: 500 } as const;
  const slow = { service: 'slack', match: 'chat.update', kind: 'slow', ms: 5000, left: null } as const;
  control().world.faults = [{ ...broken, left: 20 }, slow];
  control().changed();
  await expect
    .poll(() => lines.allTextContents())
    .toEqual([
      'management · GET /servers · status 500 · 20 left',
      'slack · chat.update · slow by 5000 ms · until repaired',
    ]);
  control().world.faults = [{ ...broken, left: 17 }];
  await expect
    .poll(() => lines.allTextContents(), { timeout: 10_000 })
    .toEqual(['management · GET /servers · status 500 · 17 left']);
});

test('background activity is shown as on or off', async () => {
  const page = await open();
  await page.getByText('Off: nothing happens unless you trigger it.').waitFor();
  control().world.living = true;
  control().changed();
  await page.getByText('On: something small happens').waitFor();
  await expect.poll(() => page.getByText('Off: nothing happens').count()).toBe(0);
});

test('a reset asks first', async () => {
  const page = await open();
  await page.locator('[data-outside=reset]').click();
  await expect.poll(() => page.getByRole('dialog').textContent()).toContain('The clock isn’t reset.');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(control().posts).toEqual([]);
  await page.locator('[data-outside=reset]').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
  await expect.poll(() => control().posts.map(({ call }) => call)).toEqual(['POST /sandbox/reset']);
});

test('a stopped bot and a moved clock are shown', async () => {
  const page = await open();
  await expect.poll(() => page.locator('#clock').textContent()).toContain('3:03');
  control().world.running = false;
  control().world.clock += 31 * 60_000;
  control().channels.set('ops', [botMessage({ text: 'something' })]);
  control().changed();
  await page.getByText('The bot isn’t running').waitFor();
  await expect.poll(() => page.locator('#clock').textContent()).toContain('3:34');
});

test('on a phone the time is seen in the panel, and moves with the clock', async () => {
  const page = await open('operator/ops', { width: 390, height: 844, hasTouch: true });
  await expect.poll(() => page.locator('#clock').isVisible()).toBe(false);
  await page.getByRole('button', { name: 'The outside world' }).click();
  const time = page.locator('[data-now=time]');
  await expect.poll(() => time.isVisible()).toBe(true);
  await expect.poll(() => time.textContent()).toMatch(/^Fri, Nov 20 · 3:03/);
  control().world.clock += 31 * 60_000;
  await page.locator('[data-outside=clock-31m]').click();
  await expect.poll(() => time.textContent()).toMatch(/3:34/);
});

test('Escape in the composer leaves the panel open', async () => {
  const page = await open();
  const panel = page.getByRole('complementary', { name: 'The outside world' });
  const field = page.locator('#composer [data-composer]');
  for (const line of ['/', '/fleet device ', 'hello', '']) {
    await field.fill(line);
    await field.press('Escape');
    await field.press('Escape');
    await expect.poll(() => panel.isVisible()).toBe(true);
    await expect.poll(() => field.inputValue()).toBe(line);
  }
});

test('the panel opens and closes', async () => {
  const page = await open('operator/ops', { width: 1000 });
  const panel = page.getByRole('complementary', { name: 'The outside world' });
  await expect.poll(() => panel.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'The outside world' }).click();
  await expect.poll(() => panel.isVisible()).toBe(true);
  await panel.getByRole('button', { name: 'Close panel' }).click();
  await expect.poll(() => panel.isVisible()).toBe(false);
});

test('an unreachable sandbox is not shown as a stopped bot', async () => {
  const page = await open();
  const health = page.locator('[data-bot=exit]');
  await expect.poll(() => health.textContent()).toContain('Running.');
  control().answer('/sandbox/bot', { ok: false, error: 'sandbox_unreachable' });
  control().world.living = true;
  control().changed();
  await page.getByText('On: something small happens').waitFor();
  await page.locator('[data-outside=bot-start]').click();
  await page.getByText('Start failed: sandbox_unreachable').waitFor();
  await expect.poll(() => health.textContent()).toContain('Running.');
});

test('a disconnected bot has a readable error', async () => {
  control().answer('/sandbox/delivery', { ok: false, error: 'no_connection' });
  const page = await open();
  await page.locator('[data-outside=kill-socket]').click();
  await page.getByText('Cut connection failed: the bot is disconnected right now').waitFor();
});
