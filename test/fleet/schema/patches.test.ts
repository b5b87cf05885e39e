import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePatches } from '../../../src/fleet/schema/event.ts';
import { recorded } from '../fixtures.ts';

const named = (name: string, version: string | null = null, displayName: string | null = null) => ({
  name,
  version,
  displayName,
});

describe('the patches of an event', () => {
  it.each([
    [
      'quoted names',
      '"brave-browser" "python3-gpg" "libc-ares2"',
      [named('brave-browser'), named('python3-gpg'), named('libc-ares2')],
    ],
    [
      'quoted tokens',
      '"a|1|App A|r|0","b|2|App B|r|1"',
      [named('a', '1', 'App A'), named('b', '2', 'App B')],
    ],
    ['bare tokens', 'a|1|App A|r|0,b|2|App B|r|1', [named('a', '1', 'App A'), named('b', '2', 'App B')]],
    [
      'bare tokens with spaces between',
      'a|1|App A|r|0, b|2|App B|r|1 ',
      [named('a', '1', 'App A'), named('b', '2', 'App B')],
    ],
    [
      'a display name with commas',
      'KB1|1|Update, for A|r|0,KB2|2|B, C|r|1',
      [named('KB1', '1', 'Update, for A'), named('KB2', '2', 'B, C')],
    ],
    ['one token with commas', 'KB1|1|Update, for A|r|0', [named('KB1', '1', 'Update, for A')]],
    ['tokens without an end mark', 'a|1,b|2', [named('a', '1'), named('b', '2')]],
    ['some tokens quoted', '"a|1|App A|r|0",b|2|B|r|1', [named('a', '1', 'App A'), named('b', '2', 'B')]],
    ['a quoted name with spaces', '"Two Words" "b"', [named('Two Words'), named('b')]],
    ['names with commas between', 'KB1, KB2,KB3', [named('KB1'), named('KB2'), named('KB3')]],
    ['names with spaces between', 'KB1 KB2\nKB3', [named('KB1'), named('KB2'), named('KB3')]],
    ['one name', 'KB123456', [named('KB123456')]],
    ['a quote left open', '"a" "b', [named('a'), named('b')]],
    ['empty fields', 'a||', [named('a')]],
    ['a token without a name', '|1|App|r|0', []],
    ['nothing', '', []],
    ['separators only', ' , "", |', []],
  ])('are read from %s', (_, text, expected) => {
    expect(parsePatches(text)).toEqual(expected);
  });

  it('are read from the published forms', () => {
    const forms = recorded('event-data-patches-strings.json');
    const texts: readonly string[] = Array.isArray(forms) ? forms.map(({ text }) => String(text)) : [];
    expect(texts.slice(0, 2).map((text) => parsePatches(text).map(({ name }) => name))).toEqual([
      ['brave-browser', 'python3-gpg', 'libc-ares2'],
      ['name', 'name2'],
    ]);
  });

  it('are none when the event has none', () => {
    expect(parsePatches(null)).toEqual([]);
    expect(parsePatches([])).toEqual([]);
  });

  it('are read back whatever their names and display names are', () => {
    const word = fc.stringMatching(/^[\w.{}:+-]{1,12}$/);
    const patch = fc.record({
      name: word,
      version: word,
      displayName: fc.stringMatching(/^\w[\w, ()]{0,20}\w$/),
    });
    fc.assert(
      fc.property(fc.array(patch, { minLength: 1, maxLength: 6 }), fc.boolean(), (patches, quoted) => {
        const quote = quoted ? '"' : '';
        const text = patches
          .map((p) => `${quote}${p.name}|${p.version}|${p.displayName}|repo|1${quote}`)
          .join(',');
        expect(parsePatches(text)).toEqual(patches);
      }),
    );
  });

  it('never fail, and never have an empty name', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', '|', ',', ' ', '0', '1', 'a', 'é') }), (text) => {
        for (const { name } of parsePatches(text)) expect(name.trim()).not.toBe('');
      }),
    );
  });
});
