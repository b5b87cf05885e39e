/** Every rule without a number, sent by Slack's own client: one accepted case and one refused. */
import { describe, expect, it } from 'vitest';
import { long, modal, open, plain, section } from './limit-cases.ts';
import { type SlackCall, useSlack } from './limits-harness.ts';
import { RULES } from './rule-table.ts';

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
      args: { ...args, blocks: [section({ text: plain(length) })] },
    });
    expect(await slack.outcomeOf(call(3_000))).toMatchObject({ word: 'ok' });
    const refused = { word: 'invalid_blocks', pointers: ['/blocks/0/text/text'] };
    expect(await slack.outcomeOf(call(3_001))).toEqual(refused);
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
