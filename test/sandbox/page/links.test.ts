/** Links in texts: to channels, and to addresses that an app wrote in one way or another. */
import { expect, test } from 'vitest';
import { pageWithBotStage } from './harness/page-with-bot.ts';
import { mrkdwn, option, plain } from './samples/messages.ts';

const enter = pageWithBotStage();

// docs.slack.dev/messaging/formatting-message-text, “Linking to channels”
test('a channel in a text leads to that channel, in rich text too', async () => {
  const { page, post } = await enter();
  const mention = { type: 'channel', channel_id: 'C0APPROVALS' };
  await post([
    { type: 'section', text: mrkdwn('Why not join <#C0APPROVALS>?') },
    { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [mention] }] },
  ]);
  const links = page.locator('#messages').getByRole('link', { name: '#approvals' });
  await expect.poll(() => links.count()).toBe(2);
  await links.last().click();
  await expect.poll(() => page.evaluate('location.hash')).toBe('#operator/approvals');
});

// docs.slack.dev/reference/block-kit/block-elements: message-mention-, attachment-mention-, citation-, file- and tag-element
test('messages, attachments, sources and files in rich text are links, and a tag is its text', async () => {
  const { page, call, post } = await enter();
  const { ts: first } = await call('chat.postMessage', { channel: 'C0APPROVALS', text: 'The first' });
  const message = { type: 'message_mention', channel_id: 'C0APPROVALS', message_ts: String(first) };
  const url = 'https://a.example/';
  const elements = [
    message,
    { ...message, text: 'that message' },
    { type: 'attachment_mention', url, text: 'Design' },
    { type: 'attachment_mention', url },
    { type: 'citation', url, text: 'Source', index: 1, details: { citation_type: 'web' } },
    { type: 'file', file_id: 'F0REPORT001', text: 'Report', url },
    { type: 'file', file_id: 'F0REPORT002' },
    { type: 'tag', text: 'In progress', color: 'green' },
  ];
  const ts = await post([{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }]);
  const links = page.locator(`[data-ts="${ts}"]`).getByRole('link');
  const named = ['Message in #approvals', 'that message', 'Design', url, 'Source', 'Report'];
  await expect.poll(() => links.allInnerTexts()).toEqual(named);
  const tag = page.locator('.tag');
  await expect.poll(() => tag.innerText()).toBe('In progress');
  await expect.poll(() => tag.evaluate((node) => node.getAttribute('style'))).toContain('green');
  await expect.poll(() => page.locator('.rich-text').last().innerText()).toContain('F0REPORT002');
  await links.first().click();
  await expect.poll(() => page.evaluate('location.hash')).toBe('#operator/approvals');
});

// docs.slack.dev/reference/block-kit/block-elements: canvas-, list-record-, workflow-mention-, salesforce-data-field-element…
test('what rich text names and is not in this workspace is its text, with its address if it has one', async () => {
  const { page, post } = await enter();
  const url = 'https://a.example/';
  const elements = [
    { type: 'canvas', file_id: 'F123ABC456' },
    { type: 'canvas', file_id: 'F123ABC456', text: 'Plan', url },
    { type: 'canvas_user_mention', user_id: 'U0OPERATOR1' },
    { type: 'canvas_message_unfurl', root_message_ts: '1783613573', root_message_channel: 'C0APPROVALS' },
    { type: 'list_record', file_id: 'F123ABC457', text: 'Record', url },
    { type: 'work_object_mention', entity_id: 'E1', app_id: 'A1', text: 'Work object', url },
    { type: 'workflow_mention', workflow_id: 'Wf1', function_trigger_id: 'Ft1', text: 'Run workflow' },
    {
      type: 'salesforce_data_field',
      salesforce_record_id: '001ABC',
      salesforce_field_label: 'Owner',
      salesforce_include_field_label: true,
    },
  ];
  const spaced = elements.flatMap((element) => [element, { type: 'text', text: ' ' }]);
  const ts = await post([{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: spaced }] }]);
  const text = page.locator(`[data-ts="${ts}"] .rich-text`);
  await expect
    .poll(() => text.innerText())
    .toMatch(
      /^F123ABC456 Plan @operator Message in #approvals Record Work object Run workflow Owner: 001ABC/,
    );
  const named = ['Plan', 'Message in #approvals', 'Record', 'Work object'];
  await expect.poll(() => text.getByRole('link').allInnerTexts()).toEqual(named);
});

// docs.slack.dev/reference/block-kit/block-elements/text-element, `style`; color-element
test('a rich text shows a highlight of the client, no link where it is unlinked, and a color without its #', async () => {
  const { page, post } = await enter();
  const elements = [
    { type: 'text', text: 'found', style: { client_highlight: true } },
    { type: 'link', url: 'https://a.example/', text: 'no link', style: { unlink: true } },
    { type: 'color', value: 'F405B3' },
  ];
  const ts = await post([{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }]);
  const text = page.locator(`[data-ts="${ts}"] .rich-text`);
  await expect.poll(() => text.locator('mark').innerText()).toBe('found');
  await expect.poll(() => text.innerText()).toContain('no link');
  await expect.poll(() => text.getByRole('link').count()).toBe(0);
  const patch = text.locator('.color-patch');
  await expect
    .poll(() => patch.evaluate((node) => getComputedStyle(node).backgroundColor))
    .toBe('rgb(244, 5, 179)');
});

// docs.slack.dev/reference/block-kit/composition-objects/text-object, `verbatim`
test('an address is no link in a text that is verbatim, whose own links and styles stay', async () => {
  const { page, post } = await enter();
  const words = '*b* https://a.example <https://b.example|B>';
  const ts = await post(
    [true, false].map((verbatim) => ({ type: 'section', text: { ...mrkdwn(words), verbatim } })),
  );
  const texts = page.locator(`[data-ts="${ts}"] .section-text`);
  await expect.poll(() => texts.first().getByRole('link').allInnerTexts()).toEqual(['B']);
  await expect.poll(() => texts.last().getByRole('link').allInnerTexts()).toEqual(['https://a.example', 'B']);
  await expect.poll(() => texts.first().locator('b').innerText()).toBe('b');
});

// docs.slack.dev/messaging/formatting-message-text, “Disabling automatic parsing”
test('an address in the text of a message is a link unless it was sent with parse=none', async () => {
  const { page, call } = await enter();
  const linksOf = async (args: Record<string, unknown>) => {
    const { ts } = await call('chat.postMessage', {
      channel: 'C0OPS000001',
      text: 'see https://a.example',
      ...args,
    });
    await page.locator(`[data-ts="${ts}"] .message-text`).waitFor();
    return page.locator(`[data-ts="${ts}"] .message-text a`).count();
  };
  expect([await linksOf({}), await linksOf({ parse: 'none' })]).toEqual([1, 0]);
});

// docs.slack.dev/surfaces/app-home, “Deep linking to App Home”
test('a link to the App Home opens its tab here, from a text, a button or a menu', async () => {
  const { page, post } = await enter();
  const url = (tab: string) => `slack://app?team=T0SANDBOX01&id=A0PATCHBAY1&tab=${tab}`;
  const menu = { type: 'overflow', action_id: 'o', options: [{ ...option('1'), url: url('messages') }] };
  const button = { type: 'button', action_id: 'b', text: plain('About it'), url: url('about') };
  await post([
    { type: 'section', text: mrkdwn(`<${url('home')}|Its Home>`) },
    { type: 'actions', elements: [button, menu] },
  ]);
  const follow = async (press: () => Promise<void>, hash: string) => {
    await press();
    await expect.poll(() => page.evaluate('location.hash')).toBe(hash);
    await page.evaluate("location.hash = '#operator/ops'");
  };
  await follow(() => page.getByRole('link', { name: 'Its Home' }).click(), '#operator/%40operator/home');
  await follow(() => page.getByRole('link', { name: 'About it' }).click(), '#operator/%40operator/about');
  await page.locator('#messages').getByRole('button', { name: 'More actions' }).first().click();
  await follow(() => page.getByRole('menuitem', { name: 'Option 1' }).click(), '#operator/%40operator');
});

// docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object: “adds a confirmation step”
test('a link of a button or a menu with a confirm dialog is followed only after a yes', async () => {
  const { page, post, botRequests } = await enter();
  const url = 'slack://channel?team=T0SANDBOX01&id=C0APPROVALS';
  const confirm = { title: plain('Leave?'), text: plain('Really'), confirm: plain('Yes'), deny: plain('No') };
  const menu = { type: 'overflow', action_id: 'o', confirm, options: [{ ...option('1'), url }] };
  await post([
    {
      type: 'actions',
      elements: [{ type: 'button', action_id: 'b', text: plain('Go there'), url, confirm }, menu],
    },
  ]);
  const messages = page.locator('#messages');
  const press = [
    () => messages.getByRole('button', { name: 'Go there' }).click(),
    async () => {
      await messages.locator('[data-action-id=o]').click();
      await page.getByRole('menuitem', { name: 'Option 1' }).click();
    },
  ];
  const dialog = page.getByRole('dialog', { name: 'Leave?' });
  for (const pressed of press) {
    await pressed();
    await dialog.getByRole('button', { name: 'No' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate('location.hash')).toBe('#operator/ops');
    await pressed();
    await dialog.getByRole('button', { name: 'Yes' }).click();
    await expect.poll(() => page.evaluate('location.hash')).toBe('#operator/approvals');
    await page.evaluate("location.hash = '#operator/ops'");
    await messages.getByRole('button', { name: 'Go there' }).waitFor();
  }
  await expect.poll(() => botRequests('block_actions').length).toBe(2);
});
