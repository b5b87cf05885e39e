import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/lib/clock.ts';
import { escapeMrkdwn } from '../../../src/views/kit/escape.ts';
import { renderSentence } from '../../../src/views/kit/stored-sentences.ts';
import { relativeDate } from '../../../src/views/kit/timestamps.ts';
import { START } from '../../harness/builders.ts';

const TIME = relativeDate(START);
const TOKEN = `@{${START}}`;

describe('a stored sentence', () => {
  it.each([
    ['no time', 'It fell.', 'It fell.'],
    ['a time', `Refreshed at ${TOKEN}.`, `Refreshed at ${TIME}.`],
    ['nothing but a time', TOKEN, TIME],
    ['two times', `${TOKEN} ${TOKEN}`, `${TIME} ${TIME}`],
    ['the first time of all', '@{0}', relativeDate(instant(0))],
    ['a time long ago', '@{-62135596800000}', relativeDate(instant(-62_135_596_800_000))],
    ['hostile text around a time', `<!channel> ${TOKEN} *x*`, `\`&lt;!channel&gt;\` ${TIME} \`*x*\``],
    ['an absurd number', '@{999999999999999}', '`@{999999999999999}`'],
    ['more digits than any time', `@{${'9'.repeat(40)}}`, `\`@{${'9'.repeat(40)}}\``],
    ['half a token', '@{12', '`@{12`'],
    ['no number', '@{now}', '`@{now}`'],
    ['nothing', '', '(blank)'],
  ])('with %s', (_what, stored, expected) => {
    expect(renderSentence(stored)).toBe(expected);
  });

  it('is cut with a mark, and never through a time', () => {
    const shown = renderSentence(TOKEN.repeat(100));
    expect(shown.length).toBeLessThanOrEqual(600);
    expect(shown.replaceAll(TIME, '')).toBe('…');
    expect(renderSentence('x'.repeat(1_000)).length).toBeLessThanOrEqual(600);
  });

  it('escapes whatever stands around its times, within its length', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('<!channel>', '<@U1>', '&', '`', '*', '@{', '}', '@{1e9}', ' ', '@', '{1}'),
    );
    const pieces = fc.array(fc.oneof(text, fc.constant(TOKEN)), { maxLength: 12 });
    fc.assert(
      fc.property(pieces, (given) => {
        const shown = renderSentence(given.join(''));
        const rest = shown.replace(
          /<!date\^-?\d+\^\{date_short_pretty\} at \{time\}\|[\d-]+ at [\d:]+ UTC>/g,
          '',
        );
        expect(shown.length).toBeLessThanOrEqual(600);
        expect(rest).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
        expect((rest.split('`').length - 1) % 2).toBe(0);
        expect(shown.isWellFormed()).toBe(true);
      }),
    );
  });

  it('without times is shown like other text', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 }).filter((one) => !one.includes('@'));
    fc.assert(
      fc.property(text, (stored) => {
        expect(renderSentence(stored)).toBe(escapeMrkdwn(stored, 599));
      }),
    );
  });
});
