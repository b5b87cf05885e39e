/** Whatever arrives, the workspace answers as Slack does. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkView } from '../../../../src/sandbox/slack/validate/view-rules.ts';
import { checkBlocks } from '../../../../src/sandbox/slack/validate/whole-payload-rules.ts';
import { answerOf, OPS, seenBy, startWorkspace } from '../harness/workspace-harness.ts';

const TYPES = [
  'section',
  'actions',
  'input',
  'context',
  'table',
  'rich_text',
  'carousel',
  'container',
  'image',
];
const nearBlock = fc.record(
  {
    type: fc.constantFrom(...TYPES, 'button', '__proto__'),
    text: fc.jsonValue(),
    elements: fc.jsonValue(),
    element: fc.jsonValue(),
    rows: fc.jsonValue(),
    block_id: fc.oneof(fc.string(), fc.jsonValue()),
  },
  { requiredKeys: ['type'] },
);

describe('blocks of any shape', () => {
  it('are validated without failing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.array(nearBlock)), (blocks) => {
        for (const { pointer, message } of checkBlocks(blocks, 'message')) {
          expect(pointer).toMatch(/^\/blocks/);
          expect(message).not.toBe('');
        }
        checkView({ type: 'modal', blocks }, 'modal');
      }),
    );
  });

  it('are refused with Slack’s word', async () => {
    const { workspace } = await startWorkspace();
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.array(nearBlock, { minLength: 1 }), async (text, blocks) => {
        const answer = await answerOf(workspace, 'chat.postMessage', { channel: OPS, text, blocks });
        expect(answer.ok || typeof answer['error'] === 'string').toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

it('JSON too deep to be written down again is no JSON, so that people still see the channel', async () => {
  const { workspace } = await startWorkspace();
  const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
  const call = async (method: string, body: string) => {
    const response = await fetch(workspace.apiUrl + method, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${workspace.botToken}`,
        'content-type': 'application/json; charset=utf-8',
      },
      body,
    });
    return response.json();
  };
  const refused = { ok: false, error: 'invalid_json' };
  expect(await call('api.test', `{"a":${deep}}`)).toMatchObject(refused);
  const message = { channel: OPS, text: 'hi' };
  const whole = JSON.stringify({ ...message, attachments: 'HERE' });
  expect(await call('chat.postMessage', whole.replace('"HERE"', `[{"a":${deep}}]`))).toMatchObject(refused);
  expect(await call('chat.postMessage', JSON.stringify({ ...message, attachments: deep }))).toMatchObject({
    error: 'invalid_attachments',
  });
  expect(seenBy(workspace, 'operator')).toEqual([]);
});

it('keeps a typed text’s words, whatever they are', async () => {
  const { workspace } = await startWorkspace();
  const near = fc.string({ unit: fc.constantFrom(...'ab:c/.)(<>&|"• \n1-+'), maxLength: 12 });
  const words = fc
    .oneof(fc.string(), near)
    .map((text) => text.trim())
    .filter((text) => text !== '' && !/[@#*_~`]|https?:|<[!]|:[\w+-]+:|^(?:• |>)/m.test(text));
  const space = fc.constantFrom('', ' ', '\n');
  await fc.assert(
    fc.asyncProperty(words, space, space, async (text, before, after) => {
      await workspace.message({ user: 'operator', channel: 'ops', text: `${before}${text}${after}` });
      const shown = seenBy(workspace, 'operator').at(-1);
      const read = shown?.text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
      expect(read).toBe(text);
      expect(shown?.blocks).toMatchObject([{ elements: [{ elements: [{ type: 'text', text }] }] }]);
    }),
    { numRuns: 100 },
  );
});
