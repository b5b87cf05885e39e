import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deviceId } from '../../../src/lib/ids.ts';
import { inputWithResult } from '../../../src/views/kit/pager.ts';
import type { DevicesRow, Paging, View } from '../../../src/views/model.ts';
import { renderView } from '../../../src/views/render.ts';
import { aDevice, START } from '../../harness/builders.ts';
import { brokenRules } from '../slack-message-rules.ts';

function listOf(rows: readonly DevicesRow[], over: Partial<Paging> = {}): View {
  const paging = { command: 'devices', input: { words: [] }, page: 1, pages: 3, total: 30, asOf: START };
  return { kind: 'devices', title: 'web', rows, unlisted: 0, paging: { ...paging, ...over } };
}
const GONE = { device: null, id: deviceId(7) } as const;
const words = (view: View) => JSON.stringify(renderView(view).blocks);

describe('the end of a list', () => {
  it('has buttons that carry the cached rows, and a menu and a refresh that read again', () => {
    const { blocks } = renderView(listOf([GONE], { result: 'k1' }));
    const row = blocks.at(-1);
    const elements = row?.['elements'] as readonly { readonly action_id: string; readonly value?: string }[];
    const carried = elements.map(({ action_id, value }) => [action_id, JSON.parse(value ?? 'null')?.input]);
    expect(carried).toEqual([
      ['page:prev', { words: [], result: 'k1' }],
      ['page:next', { words: [], result: 'k1' }],
      ['refresh', { words: [], refresh: true }],
      ['sort', undefined],
    ]);
    expect(row?.block_id).not.toContain('k1');
  });

  it('leaves the count to the top of the list', () => {
    expect(words(listOf([GONE]))).toContain('"Page 2 of 3, as of ');
    expect(words(listOf([GONE], { page: 0, pages: 1 }))).toContain('"As of ');
  });

  it.each([
    ['words', '`/fleet devices web`', { root: '/fleet', text: 'devices web' }],
    ['another root', '`/pb devices web`', { root: '/pb', text: 'devices web' }],
  ])('says what to type: %s', (_what, shown, line) => {
    expect(words(listOf([GONE], { line }))).toContain(`Command: ${shown}`);
  });

  it.each([
    ['would be cut', 'x'.repeat(601)],
    ['holds what ends its frame', 'devices a`b'],
  ])('says nothing to type that %s', (_what, text) => {
    expect(words(listOf([GONE], { line: { root: '/fleet', text } }))).not.toContain('Command:');
  });

  it.each([
    ['gone', 'This list expired and was reloaded.'],
    ['others', 'That list was someone else’s, so it was reloaded for you.'],
    ['rights', 'What you may see has changed, so this list was reloaded.'],
  ] as const)('says that a list was read again, and why: %s', (refreshReason, why) => {
    const said = words(listOf([GONE], { refreshReason }));
    expect(said).toContain(why);
    expect(said).toContain('reloaded');
    expect(words(listOf([GONE]))).not.toContain('reloaded');
  });

  it('keeps Slack’s limits whatever is typed, and however many devices are gone', () => {
    const row = fc.oneof(
      fc.constant<DevicesRow>(GONE),
      fc.string().map((name) => ({ device: aDevice({ name }), groupName: name })),
    );
    const over = fc.record({
      input: fc.record({ words: fc.array(fc.string({ unit: 'binary', maxLength: 200 }), { maxLength: 9 }) }),
      line: fc.record({ root: fc.constant('/fleet'), text: fc.string({ unit: 'binary', maxLength: 900 }) }),
      result: fc.constant('k1'),
      anew: fc.constantFrom('gone', 'others', 'rights'),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 60 }), over, (rows, more) => {
        expect(brokenRules(renderView(listOf(rows, more)))).toEqual([]);
      }),
    );
    expect(brokenRules(renderView(listOf(Array(10_000).fill(GONE))))).toEqual([]);
  });

  it('carries nothing but the question where nothing is kept', () => {
    expect(inputWithResult({ input: { a: 1 } })).toEqual({ a: 1 });
    expect(inputWithResult({ input: { a: 1 }, result: 'k' })).toEqual({ a: 1, result: 'k' });
  });
});
