/** Whatever arrives, the workspace answers in Slack's way. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkBlocks } from '../../../src/sandbox/slack/validate/payload.ts';
import { checkView } from '../../../src/sandbox/slack/validate/views.ts';
import { answerOf, OPS, seenBy, startWorkspace } from './harness.ts';

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
  it('are judged without failing', () => {
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

it('keeps a typed text’s words, whatever they are', async () => {
  const { workspace } = await startWorkspace();
  const words = fc.string().filter((text) => text.trim() !== '' && !/[@#]|https?:|<[!]/.test(text));
  await fc.assert(
    fc.asyncProperty(words, async (text) => {
      await workspace.message({ user: 'operator', channel: 'ops', text });
      const shown = seenBy(workspace, 'operator').at(-1);
      const read = shown?.text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
      expect(read).toBe(text.trim());
      expect(shown?.blocks).toMatchObject([
        { elements: [{ elements: [{ type: 'text', text: text.trim() }] }] },
      ]);
    }),
    { numRuns: 50 },
  );
});
