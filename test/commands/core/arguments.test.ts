/** What holds of every argument that is a row, whatever its command. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GROUP_ARGUMENTS } from '../../../src/commands/changes/group-fields.ts';
import { POLICY_ARGUMENTS } from '../../../src/commands/changes/policy-fields.ts';
import { argumentsOf, days, named, number, words } from '../../../src/commands/core/arguments.ts';
import { EVENT_ARGUMENTS } from '../../../src/commands/events.ts';
import { DIALECTS } from '../../../src/fleet/dialect.ts';
import { property } from '../../harness/property.ts';
import { valuesOf } from '../harness/forms.ts';
import { lineWords } from '../harness/typed-line.ts';

const SPAN = { label: 'Period', most: 30, spans: [1, 7], labelOf: (span: number) => `${span} days` };
const ROWS = argumentsOf({
  group: named('group', 'Group'),
  tag: words('tag', 'Tag', 100),
  days: days(SPAN),
  alert: number('alert', 'N', 'the number of an alert'),
});
const TABLES = [ROWS, EVENT_ARGUMENTS, GROUP_ARGUMENTS, POLICY_ARGUMENTS] as const;
const NOTHING = { free: [], filters: [], flags: [], reason: null };

describe('arguments', () => {
  it('say what they take', () => {
    expect(ROWS.usage).toBe('[group:NAME] [tag:NAME] [days:N] [alert:N]');
  });

  it('give what was typed, and nothing of what was not', () => {
    const input = { group: 'Linux servers', days: 3 };
    expect(ROWS.parse(lineWords('days:3 group:"Linux servers"'))).toEqual({ kind: 'input', input });
  });

  it.each([
    ['days:31 alert:x', { kind: 'bad-value', word: 'days:31', expected: '1 to 30 days' }],
    ['days:0', { kind: 'bad-value', expected: '1 to 30 days' }],
    ['alert:x days:31', { kind: 'bad-value', word: 'alert:x', expected: 'the number of an alert' }],
    ['tag:', { kind: 'bad-value', word: 'tag:', expected: 'a value right after the colon' }],
    ['tag:a tag:b', { kind: 'bad-value', word: 'tag:b', expected: '“tag:” only once' }],
    ['-tag:a', { kind: 'bad-value', word: '-tag:a', expected: 'the same without “-”' }],
    ['tga:a', { kind: 'unknown-word', word: 'tga:a', nearest: ['tag:'] }],
    ['web-01', { kind: 'unknown-word', word: 'web-01' }],
    ['tag:a because x', { kind: 'unknown-word', word: 'because' }],
  ])('“%s” is a fault', (line, fault) => {
    expect(ROWS.parse(lineWords(line))).toMatchObject({ kind: 'fault', fault });
  });

  const keys = [
    'group',
    'alert',
    'policy',
    'user',
    'name',
    'days',
    'until',
    'every',
    'color',
    'weeks',
    'zone',
  ];
  const texts = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('x', '0', '#5', '31', 'on', 'every'));
  property([fc.constantFrom(...TABLES), fc.constantFrom(...keys), texts])(
    'that are typed are a value, or a fault at their word: none is left out',
    (table, key, value) => {
      const text = `${key}:${value}`;
      const read = table.parse({ ...NOTHING, filters: [{ key, value, negated: false, text }] });
      const word = read.kind === 'fault' && 'word' in read.fault ? read.fault.word : null;
      const given = read.kind === 'input' ? Object.values(read.input) : [];
      expect([word, ...given.filter((one) => one !== null)]).toHaveLength(word === null ? 2 : 1);
      expect([null, text]).toContain(word);
    },
  );

  it('have their fields in the order in which their values are given', () => {
    const fields = ROWS.draw({ days: 12, group: null, tag: 'dmz' }, DIALECTS.live, ':7');
    expect(fields).toMatchObject([
      { id: 'days:7', initial: '12', options: [{ value: '12' }, { value: '1' }, { value: '7' }] },
      { id: 'group:7', initial: null },
      { id: 'tag:7', initial: 'dmz' },
    ]);
  });

  it('that are filled in are what would have been typed; a menu gives the id', () => {
    const values = valuesOf({ group: ['3111'], tag: [' dmz '], days: ['7'], alert: [''] });
    expect(ROWS.enter(values)).toEqual({ kind: 'input', input: { group: 3_111, tag: 'dmz', days: 7 } });
  });

  it('say at their fields what they say on a line', () => {
    const values = valuesOf({ 'days:7': ['31'], 'alert:7': ['x'] });
    const errors = { 'days:7': 'Expected 1 to 30 days.', 'alert:7': 'Expected the number of an alert.' };
    expect(ROWS.enter(values, ':7')).toEqual({ kind: 'errors', errors });
  });
});
