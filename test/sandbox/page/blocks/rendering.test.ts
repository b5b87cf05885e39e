import { describe, expect, test } from 'vitest';
import { attributes } from '../harness/element-attributes.ts';
import { channelId, NOW } from '../harness/fake-control.ts';
import { pageStage } from '../harness/page-harness.ts';
import {
  approvalCard,
  botMessage,
  everyBlock,
  mrkdwn,
  personMessage,
  plain,
  tsBefore,
} from '../samples/messages.ts';

const { control, open } = pageStage();

describe('blocks', () => {
  test('every kind of block that messages have is drawn', async () => {
    control().channels.set('ops', [botMessage({ blocks: everyBlock })]);
    const page = await open();
    await page.locator('[data-block=table]').waitFor();
    await expect.poll(() => page.locator('.content > [data-block]').count()).toBe(everyBlock.length);
    await expect.poll(() => page.locator('[data-undrawable]').count()).toBe(0);
    await expect.poll(() => page.locator('[data-element]').count()).toBe(2);
    await expect
      .poll(() => page.locator('table td').allTextContents())
      .toEqual(['web-01', '3', 'db-01', '12']);
  });

  test('a block or element of an unknown kind is shown as such, beside its neighbours', async () => {
    const blocks = [
      { type: 'hologram', block_id: 'a' },
      { type: 'constructor', block_id: 'b' },
      { type: 'actions', block_id: 'c', elements: [{ type: 'lever', action_id: 'x' }] },
      { type: 'table', block_id: 'd', rows: 'none' },
      { type: 'actions', block_id: 'f', elements: [{ type: 'checkboxes', action_id: 'y', options: 5 }] },
      { type: 'section', block_id: 'e', text: plain('still here') },
    ];
    control().channels.set('ops', [botMessage({ blocks })]);
    const page = await open();
    await page.getByText('still here').waitFor();
    const kinds = page.locator('[data-undrawable]');
    await expect
      .poll(() => attributes(kinds, 'data-undrawable'))
      .toEqual(['hologram', 'constructor', 'lever', 'table', 'actions']);
    await expect
      .poll(() => page.locator('[data-undrawable=hologram]').textContent())
      .toContain('Can’t show this block: “hologram”');
  });

  test('a plain text keeps its line breaks, as a formatted one does', async () => {
    const words = 'one\n\ntwo';
    const blocks = [
      { type: 'section', block_id: 'a', text: plain(words) },
      { type: 'section', block_id: 'b', text: mrkdwn(words) },
    ];
    control().channels.set('ops', [botMessage({ blocks })]);
    const page = await open();
    const texts = page.locator('.section-text');
    await expect.poll(() => texts.allInnerTexts()).toEqual([words, words]);
  });
});

describe('messages', () => {
  test('show their author, the APP badge, and the time in the zone of the viewer', async () => {
    const ts = `${NOW / 1000 - 600}.000100`;
    control().channels.set('ops', [approvalCard({ ts }), personMessage('approver', 'hello')]);
    const page = await open('operator/ops', { timezoneId: 'Asia/Kolkata' });
    const card = page.locator(`[data-ts="${ts}"]`);
    await expect.poll(() => card.locator('.message-head').textContent()).toMatch(/^PatchbayAPP7:23\sPM$/u);
    const person = page.locator('.message').nth(1);
    await expect.poll(() => person.locator('.author').textContent()).toBe('approver');
    await expect.poll(() => person.locator('.app-badge').count()).toBe(0);
    await expect.poll(() => page.locator('.day').allTextContents()).toEqual(['Today']);
  });

  test('an ephemeral message says so, and is hidden from other people', async () => {
    control().channels.set('ops', [
      personMessage('viewer', 'for all'),
      botMessage({ text: 'for you', ephemeral: true, onlyFor: 'operator' }),
    ]);
    const page = await open();
    const secret = page.locator('[data-ephemeral]');
    await expect.poll(() => secret.textContent()).toContain('Only visible to you');
    await page.locator('[data-person]').selectOption('approver');
    await page.locator('[data-person=approver]').waitFor();
    await page.locator('#scroller[aria-busy=false]').waitFor();
    await page.getByText('for all', { exact: true }).waitFor();
    await expect.poll(() => secret.count()).toBe(0);
    await expect.poll(() => page.locator('.message').count()).toBe(1);
    expect(new URL(page.url()).hash).toBe('#approver/ops');
  });

  test('a thread opens beside the channel with its replies, and takes one more', async () => {
    const card = approvalCard();
    control().channels.set('ops', [card, personMessage('approver', 'why now?', { thread_ts: card.ts })]);
    const page = await open();
    await expect.poll(() => page.locator('#messages .message').count()).toBe(1);
    await page.locator(`[data-thread="${card.ts}"]`).click();
    await expect.poll(() => page.locator('#thread .message').count()).toBe(2);
    await page.locator('#thread [data-composer]').fill('because');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => control().posts)
      .toEqual([
        {
          call: 'POST /sandbox/message',
          body: { user: 'operator', channel: 'ops', text: 'because', thread_ts: card.ts },
        },
      ]);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('#thread').isVisible()).toBe(false);
  });

  test('hostile texts stay texts', async () => {
    const hostile = '<img src=x onerror="document.title=1"> <script>document.title=1</script>';
    const blocks = [
      { type: 'section', block_id: 'a', text: mrkdwn(hostile) },
      { type: 'section', block_id: 'b', text: plain(hostile) },
      {
        type: 'section',
        block_id: 'd',
        text: mrkdwn('&lt;!channel&gt; &amp;amp; <javascript:document.title=1|go>'),
      },
    ];
    control().channels.set('ops', [botMessage({ blocks }), personMessage('viewer', hostile)]);
    const page = await open();
    await page.getByText('<!channel> &amp;').waitFor();
    await expect.poll(() => page.locator('#messages :is(img, script, a, .mention)').count()).toBe(0);
    await expect.poll(() => page.getByText('<img src=x onerror="document.title=1">').count()).toBe(3);
    await expect.poll(() => page.title()).toContain('#ops');
  });

  test('only what changed is drawn again, and the pane stays where it was read', async () => {
    const many = Array.from({ length: 60 }, (_, at) =>
      botMessage({ ts: tsBefore(100 - at), text: `line ${at}` }),
    );
    control().channels.set('ops', many);
    const page = await open();
    const pane = page.locator('#scroller');
    const fromEnd = () => pane.evaluate((node) => node.scrollHeight - node.scrollTop - node.clientHeight);
    await expect.poll(fromEnd).toBeLessThan(2);
    await page
      .locator('.message')
      .first()
      .evaluate((node) => node.setAttribute('data-kept', ''));
    control().channels.set('ops', [...many, botMessage({ text: 'the newest' })]);
    control().changed();
    await page.getByText('the newest').waitFor();
    await expect.poll(fromEnd).toBeLessThan(2);
    await expect.poll(() => page.locator('[data-kept]').count()).toBe(1);
    await pane.evaluate((node) => node.scrollTo(0, 50));
    control().channels.set('ops', [...many, botMessage({ text: 'and another' })]);
    control().changed();
    await page.getByRole('button', { name: 'New messages' }).click();
    await expect.poll(fromEnd).toBeLessThan(2);
  });

  test('a long channel begins with its newest messages and gives the earlier ones on demand', async () => {
    const many = Array.from({ length: 400 }, (_, at) =>
      botMessage({ ts: tsBefore(500 - at), text: `line ${at}` }),
    );
    control().channels.set('ops', many);
    const page = await open();
    await page.getByText('line 399').waitFor();
    await expect.poll(() => page.locator('.message').count()).toBe(100);
    // Scrolling there also reads them, and removes the button once all are there.
    await page.getByRole('button', { name: 'Show earlier messages' }).dispatchEvent('click');
    await expect.poll(() => page.locator('.message').count()).toBeGreaterThanOrEqual(200);
  });
});

describe('channels', () => {
  test('the direct messages with the app are the own ones', async () => {
    control().channels.set('@approver', [botMessage({ text: 'Only for the approver' })]);
    const page = await open('operator/@operator');
    await page.getByText('This is the very beginning of your messages with Patchbay').waitFor();
    await page.locator('[data-person]').selectOption('approver');
    await page.getByText('Only for the approver').waitFor();
    await expect.poll(() => page.locator('[data-channel="@approver"][aria-current]').count()).toBe(1);
  });

  test('a channel that a person may not see says why', async () => {
    control().answer('/sandbox/messages', { ok: false, error: 'not_in_channel' });
    const page = await open('outsider/ops');
    await page.getByText('You can’t view #ops: not_in_channel').waitFor();
  });

  test('a permalink of a message opens it here', async () => {
    const card = approvalCard();
    const link = `https://sandbox.slack.com/archives/${channelId('approvals')}/p${card.ts.replace('.', '')}`;
    control().channels.set('approvals', [card]);
    control().channels.set('ops', [botMessage({ text: `Asked for <${link}|approval>.` })]);
    const page = await open();
    await page.getByRole('link', { name: 'approval', exact: true }).click();
    await page.locator(`.flash[data-ts="${card.ts}"]`).waitFor();
    await expect.poll(() => page.locator('#channel-title').textContent()).toBe('#approvals');
  });
});
