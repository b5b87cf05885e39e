import { describe, expect, it } from 'vitest';
import { devicesCommand } from '../../src/commands/devices.ts';
import { fleet, groups, runList } from './harness/listed-fleet.ts';
import { testPorts } from './harness/ports.ts';
import { lineWords } from './harness/typed-line.ts';

describe('devices: bad input', () => {
  it.each([
    [
      'a CVE, by which no device is found',
      'CVE-2024-6387',
      { kind: 'bad-value', word: 'CVE-2024-6387', expected: expect.stringContaining('missing CVE-…') },
    ],
    [
      'the severity of packages',
      'severity:critical',
      {
        kind: 'unknown-word',
        word: 'severity:critical',
        nearest: ['missing:critical'],
      },
    ],
    ['an unknown filter', 'grp:x', { kind: 'unknown-word', word: 'grp:x', nearest: ['group:'] }],
    [
      'a filter that is nearly one',
      'serail:x',
      { kind: 'unknown-word', word: 'serail:x', nearest: ['serial:'] },
    ],
    [
      'an order of nothing',
      'sort:size',
      {
        kind: 'unknown-word',
        word: 'sort:size',
        nearest: ['sort:name', 'sort:group', 'sort:seen', 'sort:pending', 'sort:os'],
      },
    ],
    [
      'a slip among several conditions',
      'is:online,ofline',
      { kind: 'unknown-word', word: 'is:ofline', nearest: ['is:offline', 'is:online'] },
    ],
    [
      'an address that is none',
      'ip:web',
      {
        kind: 'bad-value',
        word: 'ip:web',
        expected: 'an IP address, the start of one such as 10.1., or a network such as 10.1.0.0/16',
      },
    ],
    [
      'a comma without a value',
      'tag:a,',
      { kind: 'bad-value', word: 'tag:a,', expected: 'a value on both sides of a comma' },
    ],
    [
      'two orders',
      'sort:os sort:name',
      { kind: 'bad-value', word: 'sort:name', expected: 'one sort order, without “or”' },
    ],
    [
      'an order beside an or',
      'os:a or sort:name',
      { kind: 'bad-value', word: 'sort:name', expected: 'one sort order, without “or”' },
    ],
    [
      'a list that is negated beside an or',
      '-tag:a,b or os:x',
      { kind: 'bad-value', word: '-tag:a,b', expected: 'one value when “-” and “or” are combined' },
    ],
    ...['or', 'web or', 'or web', 'web or or db', 'web or os:x', 'os:x or web', 'os:x or'].map(
      (text): [string, string, object] => [
        `an or that joins nothing: ${text}`,
        text,
        { kind: 'bad-value', word: 'or', expected: 'a word or a filter on both sides' },
      ],
    ),
    ['an unknown flag', '--all', { kind: 'unknown-word', word: '--all', nearest: [] }],
    [
      'more values than a question may have',
      `-tag:${'a,'.repeat(24)}a -tag:${'b,'.repeat(25)}b`,
      {
        kind: 'bad-value',
        word: `-tag:${'b,'.repeat(25)}b`,
        expected: 'at most 50 values in all filters',
      },
    ],
    [
      'more words than a question may have',
      `one ${'more '.repeat(12)}`,
      { kind: 'bad-value', word: 'more', expected: 'at most 12 words' },
    ],
    [
      'more alternatives than a question may have',
      `one${' or other'.repeat(12)}`,
      { kind: 'bad-value', word: 'other', expected: 'at most 12 words' },
    ],
    [
      'a filter without a value',
      'tag:',
      { kind: 'bad-value', word: 'tag:', expected: 'a value right after the colon' },
    ],
    [
      'a reason, of which it has no use',
      'web because x',
      { kind: 'unknown-word', word: 'because', nearest: [] },
    ],
  ])('names %s', (_what, text, fault) => {
    expect(devicesCommand.parse(lineWords(text))).toEqual({ kind: 'fault', fault });
  });

  it('names an unknown condition with the nearest', () => {
    const parsed = devicesCommand.parse(lineWords('is:ofline'));
    if (parsed.kind !== 'fault' || parsed.fault.kind !== 'unknown-word') throw new Error(parsed.kind);
    expect(parsed.fault.word).toBe('is:ofline');
    expect(parsed.fault.nearest[0]).toBe('is:offline');
  });

  it.each([
    ['os', 'os:linx', 'os:Linux'],
    ['tag', 'tag:critcal', 'tag:critical'],
    ['tag with a space', 'tag:"two word"', 'tag:"two words"'],
  ])('names a value that no device has: %s', async (_what, text, nearest) => {
    const view = await runList(text);
    expect(view).toMatchObject({
      kind: 'problem',
      problem: { kind: 'usage', command: 'devices', fault: { word: text } },
    });
    expect(JSON.stringify(view)).toContain(JSON.stringify(nearest).slice(1, -1));
  });

  it('names an unknown group with the nearest', async () => {
    expect(await runList('group:"Linux server"')).toMatchObject({
      kind: 'problem',
      problem: {
        kind: 'no-such-group',
        query: 'Linux server',
        nearest: ['Linux servers'],
      },
    });
  });

  it.each([
    ['web is:online group:linx', 'group', 'Linux servers', 'devices web is:online group:"Linux servers"'],
    ['tag:critcal', 'tag', 'critical', 'tag:critical'],
  ])('offers %s with the nearest value', async (text, key, value, line) => {
    const view = await runList(text);
    if (view.kind !== 'problem' || !('offers' in view.problem)) throw new Error(view.kind);
    const [offer] = view.problem.offers ?? [];
    expect(offer).toMatchObject({ kind: 'line', does: 'run', choice: { command: 'devices' } });
    expect(offer).toHaveProperty(
      'choice.input.filters',
      expect.arrayContaining([expect.objectContaining({ key, value })]),
    );
    expect(offer).toHaveProperty('line', expect.stringContaining(line));
  });

  it('refuses input from a button that does not fit', async () => {
    const view = await devicesCommand.run({ words: 'web' }, 0, testPorts({ devices: fleet, groups }).ports);
    expect(view).toMatchObject({
      kind: 'problem',
      problem: { kind: 'usage', fault: { word: 'this button' } },
    });
  });
});
