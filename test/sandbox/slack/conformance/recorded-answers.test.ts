/** Answers that others recorded from the real Slack. Every block is named after where they are. */
import { expect, it } from 'vitest';
import { OPERATOR, OPS } from '../harness/workspace-harness.ts';
import { bench } from './conformance-harness.ts';

const on = bench();
const text = (length: number) => ({ type: 'mrkdwn', text: 'x'.repeat(length) });
const UNMATCHED = 'failed to match all allowed schemas';

it('https://github.com/metabase/metabase/issues/74943: a text object that does not fit is named before its text', async () => {
  const blocks = [{ type: 'divider' }, { type: 'section', text: text(3_001) }];
  const errors = [
    `${UNMATCHED} [json-pointer:/blocks/1/text]`,
    'must be less than 3001 characters [json-pointer:/blocks/1/text/text]',
  ];
  expect(await on.call('chat.postMessage', { channel: OPS, blocks })).toMatchObject({
    error: 'invalid_blocks',
    errors,
    response_metadata: { messages: errors.map((line) => `[ERROR] ${line}`) },
  });
});

it('https://github.com/mozilla-iam/sso-dashboard-configuration/pull/718: blocks of an attachment are its fault', async () => {
  const fields = [text(1), text(0)];
  const attachments = [{ blocks: [{ type: 'section', fields }] }];
  expect(await on.call('chat.postMessage', { channel: OPS, attachments })).toMatchObject({
    error: 'invalid_attachments',
    response_metadata: {
      messages: [
        `[ERROR] ${UNMATCHED} [json-pointer:/attachments/0/blocks/0/fields/1]`,
        '[ERROR] must be more than 0 characters [json-pointer:/attachments/0/blocks/0/fields/1/text]',
      ],
    },
  });
});

it('https://github.com/F3-Nation/archive-f3-nation-slack-bot/issues/42: problems of a view are in its messages alone', async () => {
  const view = { type: 'home', blocks: [{ type: 'section', text: text(0) }] };
  const refused = await on.call('views.publish', { user_id: OPERATOR, view });
  expect(refused).toMatchObject({
    error: 'invalid_arguments',
    response_metadata: { messages: [expect.stringContaining(UNMATCHED), expect.any(String)] },
  });
  expect(refused).not.toHaveProperty('errors');
});
