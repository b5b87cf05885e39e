/** Any JSON sent as blocks, a view or metadata is validated, and every pointer points to something. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkBlocks, checkView } from '../../../../src/sandbox/slack/validate/payload-rules.ts';
import { type ValidationProblem, validationErrors } from '../../../../src/sandbox/slack/validate/rules.ts';
import { property } from '../../../harness/property.ts';
import { runs } from '../../../harness/runs.ts';
import { ELEMENT_SAMPLES, SAMPLES, SURFACES } from './samples.ts';

type Json = Record<string, unknown>;
const LABEL = { type: 'plain_text', text: 'x' };
const ELEMENTS = ELEMENT_SAMPLES.map(({ element, inside }) => {
  if (inside.includes('actions')) return { type: 'actions', elements: [element] };
  if (inside.includes('input')) return { type: 'input', label: LABEL, element };
  return { type: 'section', text: LABEL, accessory: element };
});
const BLOCKS: readonly unknown[] = [...SAMPLES.map(({ block }) => block), ...ELEMENTS];

const strange = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>('', null, -1, 1e308, [], {}, [[[]]], { toString: 1, valueOf: 1 }, '__proto__'),
);
/** A valid block with one part replaced, removed or doubled. */
const damaged = fc
  .record({
    block: fc.constantFrom(...BLOCKS),
    steps: fc.array(fc.nat(20), { minLength: 1, maxLength: 8 }),
    value: strange,
    way: fc.constantFrom<Way>('replace', 'remove', 'add', 'double'),
  })
  .map(({ block, steps, value, way }) => damage(structuredClone(block), steps, value, way));
type Way = 'replace' | 'remove' | 'add' | 'double';

function damage(whole: unknown, [step = 0, ...steps]: readonly number[], value: unknown, way: Way): unknown {
  if (typeof whole !== 'object' || whole === null) return value;
  const target = whole as Json; // objects and lists alike have keys
  const keys = Object.keys(target);
  const key = keys[step % Math.max(keys.length, 1)];
  if (key === undefined) return value;
  if (steps.length > 0 && typeof target[key] === 'object' && target[key] !== null) {
    target[key] = damage(target[key], steps, value, way);
    return whole;
  }
  if (way === 'replace') target[key] = value;
  else if (way === 'remove') delete target[key];
  else if (way === 'add') target['a/b~c'] = value;
  else target[key] = [target[key], target[key]];
  return JSON.parse(JSON.stringify(whole));
}

/** The value at the pointer; fails the test when there is none. */
function follow(root: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, part) => {
      const holder = Object(value) as Json; // a text or number has no keys of its own
      expect(Object.hasOwn(holder, part), pointer).toBe(true);
      return holder[part];
    }, root);
}

function expectWhole(root: unknown, problems: readonly ValidationProblem[]): void {
  for (const each of problems) {
    follow(root, each.pointer);
    expect(each.message).toMatch(/./);
    expect(each.message.length).toBeLessThan(300);
    if (each.constraint) expect(each.constraint.got.length).toBeLessThanOrEqual(100);
  }
  expect(validationErrors(problems).length).toBeLessThanOrEqual(problems.length);
}

describe('blocks of any shape', () => {
  const blocks = fc.oneof(strange, fc.array(fc.oneof(damaged, strange), { maxLength: 5 }));
  property([blocks, fc.constantFrom(...SURFACES)], { numRuns: runs(1_500) })(
    'are validated on every surface',
    (sent, surface) => {
      expectWhole({ blocks: sent }, checkBlocks(sent, surface));
    },
  );

  const text = fc.oneof(strange, fc.constant({ type: 'plain_text', text: 'x' }));
  const view = fc.record(
    {
      type: fc.oneof(fc.constantFrom<unknown>('modal', 'home'), strange),
      title: text,
      submit: text,
      blocks: fc.oneof(strange, fc.array(damaged, { maxLength: 3 })),
      private_metadata: strange,
    },
    { requiredKeys: [] },
  );
  property([fc.oneof(view, strange), fc.constantFrom('modal', 'home')], { numRuns: runs(500) })(
    'are judged inside views of any shape',
    (sent, type) => {
      expectWhole({ view: sent }, checkView(sent, type));
    },
  );

  it('differ from valid ones: undamaged blocks have no problems', () => {
    for (const block of BLOCKS) expect(checkBlocks([block], 'message'), JSON.stringify(block)).toEqual([]);
  });
});

describe('JSON so deep or long that it could exhaust the machine', () => {
  const deep = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  const DEEP = deep(100_000);
  const LONG = 'x'.repeat(1_000_000);

  it.each([
    ['a type', [{ type: DEEP }]],
    ['a style', [{ type: 'actions', elements: [{ type: 'button', style: DEEP }] }]],
    ['a time', [{ type: 'actions', elements: [{ type: 'timepicker', initial_time: DEEP }] }]],
    ['a stray property', [{ type: 'divider', x: DEEP }]],
    ['cells', [{ type: 'table', rows: DEEP }]],
    ['everything', DEEP],
    ['a long type', [{ type: LONG }]],
    ['a long name', [{ type: 'divider', [LONG]: 1 }]],
    ['a long value', [{ type: 'actions', elements: [{ type: 'button', value: LONG }] }]],
  ])('is refused as %s', (_what, blocks) => {
    const problems = checkBlocks(blocks, 'message');
    expect(problems).not.toEqual([]);
    expect(JSON.stringify(problems).length).toBeLessThan(3_000);
  });

  it('is refused by the number of its blocks before they are looked at', () => {
    let looks = 0;
    const counted = Object.defineProperty({}, 'type', {
      get: () => {
        looks += 1;
        return 'divider';
      },
    });
    expect(checkBlocks(Array(100_000).fill(counted), 'message')).toHaveLength(1);
    expect(looks).toBe(0);
  });
});
