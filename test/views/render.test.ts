import { globSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readButtonValue } from '../../src/views/kit/buttons.ts';
import { type Block, renderView } from '../../src/views/views.ts';
import type { FallbackRow } from './rendered-text.ts';
import { samples } from './samples/all-samples.ts';
import type { SampleContent } from './samples/sample-content.ts';
import { brokenRules } from './slack-message-rules.ts';

describe('views: drawn with ordinary text', () => {
  it.each(samples({ text: 'web-01', count: 2 }).map(([name, view]) => ({ name, view })))(
    '$name',
    ({ view }) => {
      const message = renderView(view);
      expect(brokenRules(message)).toEqual([]);
      expect(message).toMatchSnapshot();
    },
  );
});

/** Every rule that messages with this content break. */
function faults(filling: SampleContent): readonly string[] {
  return samples(filling).flatMap(([name, view]) =>
    brokenRules(renderView(view)).map((what) => `${name}: ${what}`),
  );
}

describe('views: whatever others write', () => {
  const pieces = fc.constantFrom(
    '<!channel>',
    '<@U123ABC>',
    '<#C123ABC|x>',
    '<http://evil.example|ok>',
    '&lt;',
    '&',
    '<',
    '>',
    '`',
    '```',
    '*bold*',
    '_it_',
    '~no~',
    ':tada:',
    '"',
    '\\',
    '\n',
    '\u0000',
    '\u202E',
    '\u200B',
    '\uD800',
    '😀',
    'e\u0301',
    'web-01 ',
    'x'.repeat(300),
  );
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.constantFrom('<'.repeat(5_000), '😀'.repeat(5_000), '"'.repeat(1_900), '&'.repeat(4_000), '', ' '),
  );
  const counts = fc.constantFrom(0, 1, 2, 11, 40);

  it('keeps Slack’s limits and pings nobody', () => {
    fc.assert(
      fc.property(fc.record({ text: texts, count: counts }), (filling) => {
        expect(faults(filling)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  it.each([
    ['short', 'web-01'],
    ['hostile', '<!channel> & *bold*'],
  ])(
    'keeps Slack’s limits with lists of 10,000 %s rows',
    (_what, text) => {
      expect(faults({ text, count: 10_000 })).toEqual([]);
    },
    120_000,
  );

  it('carries in every button a value that can be read back', () => {
    const values = samples({ text: '<!channel> & *bold*', count: 3 }).flatMap(([name, view]) =>
      buttonValues(renderView(view).blocks).map((value) => [name, value] as const),
    );
    expect(values.length).toBeGreaterThan(100);
    expect(values.filter(([, value]) => readButtonValue(value) === null)).toEqual([]);
  });
});

function buttonValues(blocks: readonly Block[]): readonly string[] {
  const values: string[] = [];
  JSON.stringify(blocks, (key, value: unknown) => {
    // A menu's options have their own texts.
    if (key === 'options' || key === 'initial_option') return [];
    if (key === 'value' && typeof value === 'string') values.push(value);
    return value;
  });
  return values;
}

const FILES = globSync('fallback/*.ts', { cwd: import.meta.dirname });
const modules: readonly Readonly<Record<string, readonly FallbackRow[]>>[] = await Promise.all(
  FILES.map((file) => import(`./${file}`)),
);
const ROWS = modules.flatMap((area) => Object.values(area).flat());

/**
 * What notifications and screen readers get of each card and answer
 * (docs.slack.dev/reference/methods/chat.postMessage).
 */
describe('the fallback text', () => {
  it.each(ROWS)('of $name holds what decides', ({ view, holds }) => {
    const { text } = renderView(view);
    expect(holds.filter((part) => !text.includes(part))).toEqual([]);
    expect(text.length).toBeLessThanOrEqual(4_000);
  });
});
