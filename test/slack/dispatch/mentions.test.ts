import { expect, it } from 'vitest';
import { caller, createTestDispatch } from '../harness/test-dispatch.ts';

it.each([
  ['is web-01 up?', 'device web-01'],
  ['status of web-01', 'device web-01'],
  ['why did the patch on web-01 fail', 'device web-01 timeline'],
  ['retry web-01', 'device web-01 timeline'],
  ['cancel the reboot of web-01', 'approvals mine'],
  ['when was web-01 last rebooted', 'device web-01 timeline'],
  ['who rebooted web-01', 'device web-01 timeline'],
  ['approve the patch for web-01', 'approvals web-01'],
  ['what updates are there for web-01', 'packages web-01'],
  ['what devices does deploy have', 'devices deploy'],
  ['compliance Linux servers', 'group "Linux servers"'],
  ['what would patching Linux servers affect', 'devices group:"Linux servers"'],
])('“%s” is read as what it mentions: %s', async (text, line) => {
  const view = await createTestDispatch().dispatch.runText(text, caller, 'k');
  expect(view).toMatchObject({ kind: 'expanded', name: null, line });
});
