import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { styledParts } from '../../../../src/sandbox/slack/messages/typed-text.ts';

const text = (words: string, style?: Record<string, boolean>) => ({
  type: 'text',
  text: words,
  ...(style === undefined ? {} : { style }),
});
const emoji = (name: string, unicode: string) => ({ type: 'emoji', name, unicode });

describe('what a person types', () => {
  it.each([
    ['*now* please', [text('now', { bold: true }), text(' please')]],
    [
      'see (_it_), ~no~',
      [text('see ('), text('it', { italic: true }), text('), '), text('no', { strike: true })],
    ],
    ['run `a *b* c`', [text('run '), text('a *b* c', { code: true })]],
    ['done :tada: :+1:', [text('done '), emoji('tada', '1f389'), text(' '), emoji('+1', '1f44d')]],
    ['hi :wave::skin-tone-3:', [text('hi '), emoji('wave::skin-tone-3', '1f44b-1f3fc')]],
  ])('%j is styled as the composer of Slack does', (typed, parts) => {
    expect(styledParts(typed)).toEqual(parts);
  });

  it.each(['a_b_c', '2*3*4', 'at 10:30:45', '* a list', '**', '_ _', 'a: b: c', '*two\nlines*', 'C:\\a:b'])(
    '%j stays as it is',
    (typed) => {
      expect(styledParts(typed)).toEqual([text(typed)]);
    },
  );

  it('keeps every word, whatever signs stand in it', () => {
    const typed = fc.string({ unit: fc.constantFrom('a', ' ', '*', '_', '~', '`', ':', '\n') });
    const letters = (words: string) => words.replace(/[^a]/g, '');
    fc.assert(
      fc.property(typed, (line) => {
        const words = styledParts(line).map((part) => String(part['text'] ?? part['name']));
        expect(letters(words.join(''))).toBe(letters(line));
        expect(words.every((each) => each !== '')).toBe(true);
      }),
    );
  });
});
