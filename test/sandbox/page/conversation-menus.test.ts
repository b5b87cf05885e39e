/** Menus of people, channels and conversations (docs.slack.dev/reference/block-kit/block-elements/select-menu-element). */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { channelId } from './harness/fake-control.ts';
import { pageStage } from './harness/page-harness.ts';
import { botMessage, plain } from './samples/messages.ts';

const { control, open } = pageStage();

/** operator2 is in a private channel and in a group message. */
async function showMenu(element: Record<string, unknown>): Promise<Page> {
  const menu = { action_id: 'a', placeholder: plain('Choose'), ...element };
  control().channels.set('ops', [
    botMessage({ blocks: [{ type: 'actions', block_id: 'b', elements: [menu] }] }),
  ]);
  return open('operator2/ops');
}

async function offered(element: Record<string, unknown>): Promise<readonly string[]> {
  const page = await showMenu(element);
  await page.getByRole('combobox', { name: 'Choose' }).click();
  const list = page.locator('.options:popover-open');
  await list.waitFor();
  return list.getByRole('option').allInnerTexts();
}

const PUBLIC = ['#ops', '#approvals', '#patch-alerts', '#new-devices', '#random'];
const GROUP = 'approver, viewer, Patchbay';

const PEOPLE = ['operator', 'operator2', 'approver', 'approver2', 'viewer', 'admin', 'outsider'];

test.each([
  [{ type: 'users_select' }, [...PEOPLE, 'Patchbay']],
  [{ type: 'channels_select' }, PUBLIC],
  [{ type: 'conversations_select' }, [...PUBLIC, '#secret-team', GROUP, 'Patchbay']],
  [{ type: 'conversations_select', filter: { include: ['private'] } }, ['#secret-team']],
  [{ type: 'conversations_select', filter: { include: ['public', 'mpim'] } }, [...PUBLIC, GROUP]],
  [{ type: 'conversations_select', filter: { include: ['im'], exclude_bot_users: true } }, []],
])('%j offers what its person sees', async (element, options) => {
  await expect.poll(() => offered(element)).toEqual(options);
});

test('an initial conversation has the name that it has in the menu', async () => {
  const initial_conversations = ['G0GROUP0001', channelId('secret-team'), 'D0APP'];
  const page = await showMenu({ type: 'multi_conversations_select', initial_conversations });
  await expect.poll(() => page.locator('.chip').allInnerTexts()).toEqual([GROUP, '#secret-team', 'Patchbay']);
});
