/** https://docs.slack.dev/reference/methods/blocks.validate. */
import { describe, expect, it } from 'vitest';
import { section } from '../harness/workspace-harness.ts';
import { bench, METHODS } from './conformance-harness.ts';

const on = bench();
const bad = section('x'.repeat(3_001));

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
  it('passes good blocks, and points to what is wrong in others', async () => {
    const good = await validate({ blocks: JSON.stringify([section()]) });
    expect(good).toMatchObject({ status: 200, answer: { ok: true } });
    const { answer } = await validate({ blocks: JSON.stringify([section(), bad]) });
    const message = 'must be less than 3001 characters';
    expect(answer).toMatchObject({
      error: 'invalid_blocks',
      errors: [{ pointer: '/1/text/text', code: 'failed_constraint', message }],
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

  it('refuses nothing', async () => {
    expect((await validate({})).answer).toEqual({
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

  it('refuses blocks that are no JSON', async () => {
    expect((await validate({ blocks: '[{' })).answer).toEqual({
      ok: false,
      error: 'invalid_arguments',
      response_metadata: { messages: ['the value of `blocks` must be valid JSON'] },
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

  it('is what Slack’s client calls', async () => {
    const blocks = [{ type: 'divider' as const }];
    expect(await on.client.blocks.validate({ blocks })).toMatchObject({ ok: true });
  });
});
