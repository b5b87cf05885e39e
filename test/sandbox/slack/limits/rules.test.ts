/** Every rule without a number, sent by Slack's own client: one accepted case and one refused. */
import { describe, expect, it } from 'vitest';
import { RULES } from './all-limits.ts';
import { long, modal, open } from './limit-cases.ts';
import { type SlackCall, useSlack } from './limits-harness.ts';

const slack = useSlack();

describe('a real client', () => {
  it.each(RULES)('must send $what ($source)', async ({ taken, refused, word, at }) => {
    expect(await slack.outcomeOf(...taken)).toEqual({ word: 'ok', pointers: [] });
    const outcome = await slack.outcomeOf(...refused);
    expect(outcome).toEqual({ word, pointers: at === null ? [] : [at] });
  });

  it.each([
    ['chat.postMessage', { text: 'x' }],
    ['chat.postEphemeral', { text: 'x' }],
    ['chat.update', { text: 'x' }],
  ])('is held to them by %s', async (method, args) => {
    const call = (length: number): SlackCall => ({
      method,
      args: { ...args, blocks: [{ type: 'header', text: { type: 'plain_text', text: long(length) } }] },
    });
    expect(await slack.outcomeOf(call(150))).toMatchObject({ word: 'ok' });
    const refused = { word: 'invalid_blocks', pointers: ['/blocks/0/text/text'] };
    expect(await slack.outcomeOf(call(151))).toEqual(refused);
  });

  it('is held to them inside attachments', async () => {
    const call = (length: number): SlackCall => ({
      method: 'chat.postMessage',
      args: {
        text: 'x',
        attachments: [{ blocks: [{ type: 'header', text: { type: 'plain_text', text: long(length) } }] }],
      },
    });
    expect(await slack.outcomeOf(call(150))).toMatchObject({ word: 'ok' });
    expect(await slack.outcomeOf(call(151))).toMatchObject({
      word: 'invalid_attachments',
      pointers: ['/attachments/0/blocks/0/text/text'],
    });
  });

  it('is held to them by views.update', async () => {
    const view = (length: number) => modal([], { callback_id: long(length) });
    const update = (length: number): SlackCall => ({ method: 'views.update', args: { view: view(length) } });
    expect(await slack.outcomeOf(...open(view(1)), update(255))).toMatchObject({ word: 'ok' });
    expect(await slack.outcomeOf(update(256))).toEqual({
      word: 'invalid_arguments',
      pointers: ['/view/callback_id'],
    });
  });
});
