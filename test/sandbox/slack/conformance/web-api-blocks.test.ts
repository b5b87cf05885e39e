/** https://docs.slack.dev/reference/methods/blocks.validate. */
import { describe, expect, it } from 'vitest';
import { aModal } from '../harness/sample-views.ts';
import { section } from '../harness/workspace-harness.ts';
import { bench, METHODS } from './conformance-harness.ts';

const on = bench();
const bad = { type: 'header', text: { type: 'plain_text', text: 'x'.repeat(151) } };

/** Without any token, as anybody may. */
async function validate(fields: Record<string, string>, type = 'application/x-www-form-urlencoded') {
  const isForm = type.startsWith('application/x');
  const body = isForm ? new URLSearchParams(fields).toString() : JSON.stringify(fields);
  const response = await fetch(`${on.workspace.apiUrl}blocks.validate`, {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  });
  const answer: Record<string, unknown> = JSON.parse(await response.text());
  return { status: response.status, headers: response.headers, answer };
}

describe(`${METHODS}blocks.validate`, () => {
  it.each([
    ['blocks', [section()]],
    ['blocks', [{ type: 'file', external_id: 'F1', source: 'remote' }]],
    ['message', { blocks: [section()] }],
    ['view', aModal()],
    ['view', { type: 'home', blocks: [section()] }],
  ])('passes a good %s', async (kind, payload) => {
    expect(await validate({ [kind]: JSON.stringify(payload) })).toMatchObject({
      status: 200,
      answer: { ok: true },
    });
  });

  it.each([
    ['blocks', 'invalid_blocks', '/1/text/text', [section(), bad]],
    ['message', 'invalid_message', '/blocks/0/text/text', { blocks: [bad] }],
    ['message', 'invalid_message', '/attachments/0/blocks/0/text/text', { attachments: [{ blocks: [bad] }] }],
    ['view', 'invalid_view', '/blocks/0/text/text', aModal({ blocks: [bad as never] })],
  ])('points to what is wrong in a %s', async (kind, error, pointer, payload) => {
    const { answer } = await validate({ [kind]: JSON.stringify(payload) });
    expect(answer).toMatchObject({
      ok: false,
      error,
      errors: [{ pointer, code: 'failed_constraint', message: 'must be less than 151 characters' }],
    });
  });

  // https://github.com/slackapi/node-slack-sdk/pull/2659
  it('refuses what is no block of a message, even its text', async () => {
    const message = JSON.stringify({ text: 'hi', blocks: [section()] });
    expect((await validate({ message })).answer).toMatchObject({
      error: 'invalid_message',
      errors: [{ pointer: '', message: 'invalid additional property: text' }],
    });
  });

  // The example of its page, and `got`, which the real one also sends (slack-morphism 2.30.0, SlackApiBlocksValidateError).
  it('answers with the published example', async () => {
    const blocks = [{ type: 'section', text: { type: 'invalid', text: 'Hello world' } }];
    const { answer } = await validate({ blocks: JSON.stringify(blocks) });
    const constraint = { type: 'enum', expected: ['plain_text', 'mrkdwn'], got: 'invalid' };
    const message = 'unsupported type: invalid';
    expect(answer).toEqual({
      ok: false,
      error: 'invalid_blocks',
      errors: [{ code: 'failed_constraint', message, pointer: '/0/text/type', constraint }],
    });
  });

  it.each([
    ['nothing', {}],
    ['two at once', { blocks: '[]', view: '{}' }],
  ])('refuses %s', async (_what, fields) => {
    expect((await validate(fields)).answer).toEqual({
      ok: false,
      error: 'invalid_arguments',
      response_metadata: { messages: ['must provide exactly one of `blocks`, `view`, or `message`'] },
    });
  });

  it('reads JSON as well as forms, needs no scope and names none', async () => {
    const fields = { blocks: JSON.stringify([bad]) };
    const { answer, headers } = await validate(fields, 'application/json; charset=utf-8');
    expect(answer).toMatchObject({ error: 'invalid_blocks', errors: [{ pointer: '/0/text/text' }] });
    expect([headers.get('x-oauth-scopes'), headers.get('x-accepted-oauth-scopes')]).toEqual([null, null]);
  });

  it('needs blocks in every attachment', async () => {
    const { answer } = await validate({ message: JSON.stringify({ attachments: [{ text: 'hi' }] }) });
    expect(answer).toMatchObject({
      error: 'invalid_message',
      errors: [{ pointer: '/attachments/0', field: 'blocks' }],
    });
  });

  it.each(['blocks', 'message', 'view'])('refuses %s that are no JSON', async (kind) => {
    expect((await validate({ [kind]: '[{' })).answer).toEqual({
      ok: false,
      error: 'invalid_arguments',
      response_metadata: { messages: [`the value of \`${kind}\` must be valid JSON`] },
    });
  });

  it('takes 100,000 characters', async () => {
    const blocks = JSON.stringify([section()]).padEnd(100_000);
    expect((await validate({ blocks })).answer).toMatchObject({ ok: true });
    const messages = ['must be less than 100001 characters [json-pointer:/blocks]'];
    expect((await validate({ blocks: `${blocks} ` })).answer).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: { messages },
    });
  });

  it('calls JSON of another form by its kind', async () => {
    expect((await validate({ blocks: '{}' })).answer).toMatchObject({ error: 'invalid_blocks' });
    expect((await validate({ message: '[]' })).answer).toMatchObject({ error: 'invalid_message' });
    expect((await validate({ view: '1' })).answer).toMatchObject({ error: 'invalid_view' });
  });

  it('is what Slack’s client calls', async () => {
    const blocks = [{ type: 'divider' as const }];
    expect(await on.client.blocks.validate({ blocks })).toMatchObject({ ok: true });
  });
});
