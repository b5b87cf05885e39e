import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/commands/index.ts';
import { expandAlias, expandSaved } from '../../../src/commands/parser/named-lines.ts';
import { plainLine, tokenizeLine, tokenizeTyped } from '../../../src/commands/parser/tokenizer.ts';
import { personId } from '../../../src/lib/ids.ts';
import type { NamedLine } from '../../../src/store/port/settings-records.ts';
import { START } from '../../harness/builders.ts';
import { lineWords } from '../harness/typed-line.ts';

const ME = personId('UME');
const named = (name: string, line: string): NamedLine => ({ name, line, owner: ME, by: ME, at: START });
const isCommand = (word: string) => registry.find(word) !== null;
const among =
  (...lines: readonly NamedLine[]) =>
  async (name: string) =>
    lines.find((one) => one.name === name) ?? null;

describe('an alias', () => {
  const find = among(
    named('lr', 'devices group:"Linux servers"'),
    named('reboot', 'status'),
    named('twice', 'lr'),
  );
  const expand = (text: string) => expandAlias(text, { isCommand, find });

  it.each([
    ['lr', 'devices group:"Linux servers"'],
    ['LR is:online', 'devices group:"Linux servers" is:online'],
    ['  lr   “web 01” ', 'devices group:"Linux servers"   "web 01"'],
    ['lr lr', 'devices group:"Linux servers" lr'],
    ['twice', 'lr'],
  ])('replaces the beginning of %j, once', async (text, line) => {
    expect((await expand(text))?.line).toBe(line);
  });

  it.each(['reboot', 'REBOOT web-01', 'device lr', 'lrx', '"lr"', 'lr:x', '', 'x'.repeat(3_000)])(
    'is nothing in %s',
    async (text) => {
      expect(await expand(text)).toBeNull();
    },
  );

  it('never runs anything but its text and what follows it', async () => {
    const piece = fc.constantFrom(
      ...[
        'device',
        'web-01',
        '"two words"',
        "'x y'",
        'group:"a b"',
        '-is:online',
        'or',
        '--all',
        'because',
        'why',
      ],
      ...['“curly”', '&amp;', '&amp;lt;', '<@U1|jo>', '—', '=', 'lr', 'remove', '\u202E', 'os:windows,mac'],
    );
    const text = (least: number) =>
      fc.array(piece, { minLength: least, maxLength: 6 }).map((parts) => parts.join(' '));
    await fc.assert(
      fc.asyncProperty(text(1), text(0), async (body, rest) => {
        const line = plainLine(body);
        fc.pre(line !== '' && tokenizeLine(line).kind === 'words');
        const expanded = await expandAlias(`lr ${rest}`, { isCommand, find: among(named('lr', line)) });
        // As if the person had typed the alias's text.
        expect(tokenizeLine(expanded?.line ?? '')).toEqual(tokenizeTyped(`${body} ${rest}`));
      }),
    );
  });
});

describe('a saved target', () => {
  const lines = [named('web', 'web os:linux is:online'), named('odd', 'group:"Linux servers"')];
  const expand = async (text: string, takes: 'words' | 'filters' = 'words') => {
    const saved = { find: (_: unknown, name: string) => among(...lines)(name), list: async () => lines };
    return expandSaved(lineWords(text), { saved, person: ME }, takes);
  };

  it('is replaced by its filters', async () => {
    const full = await expand('x in:WEB -is:stale');
    const saved = (...texts: readonly string[]) => texts.map((text) => ({ text, saved: true }));
    expect(full).toMatchObject({
      words: { free: ['x', 'web'], filters: [...saved('os:linux', 'is:online'), { text: '-is:stale' }] },
    });
    expect(await expand('in:odd in:web')).toMatchObject({
      words: { free: ['web'], filters: saved('group:"Linux servers"', 'os:linux', 'is:online') },
    });
  });

  it('with words to search for selects nothing that is changed', async () => {
    expect(await expand('in:odd', 'filters')).toMatchObject({ words: { filters: [{ key: 'group' }] } });
    const fault = { kind: 'bad-value', word: 'in:web' };
    expect(await expand('in:web', 'filters')).toMatchObject({ kind: 'fault', fault });
  });

  it('changes no words without one', async () => {
    expect(await expand('x -is:stale because in:web')).toEqual(tokenizeTyped('x -is:stale because in:web'));
  });

  it.each([
    ['in:wb', { of: 'saved target', word: 'in:wb', nearest: expect.arrayContaining(['in:web']) }],
    ['in:', { kind: 'bad-value', word: 'in:' }],
    ['-in:web', { kind: 'bad-value', word: '-in:web' }],
    ['in:web or is:stale', { kind: 'bad-value', word: 'in:web' }],
    ['is:stale or in:web', { kind: 'bad-value', word: 'in:web' }],
  ])('names %s back', async (text, fault) => {
    expect(await expand(text)).toMatchObject({ kind: 'fault', fault });
  });
});
