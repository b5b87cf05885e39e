import { expect, it } from 'vitest';
import { shapeDifferences, shapeOf } from './answer-shape.ts';

const between = (ours: unknown, theirs: unknown) => shapeDifferences(shapeOf(ours), shapeOf(theirs));

it.each([
  { what: 'the same', ours: { ok: true, ts: '1' }, theirs: { ok: true, ts: '2' }, lines: [] },
  { what: 'a key too much', ours: { a: 1 }, theirs: {}, lines: ['a: number / absent'] },
  { what: 'a key too few', ours: {}, theirs: { a: null }, lines: ['a: absent / null'] },
  { what: 'another kind', ours: { a: [] }, theirs: { a: {} }, lines: ['a: list / object'] },
  {
    what: 'a key deep down',
    ours: { list: [{ a: { b: '' } }] },
    theirs: { list: [{ a: {} }] },
    lines: ['list[].a.b: string / absent'],
  },
  {
    what: 'a whole part, said once',
    ours: { part: { a: 1, b: 2 } },
    theirs: {},
    lines: ['part: object / absent'],
  },
  {
    what: 'a list without entries',
    ours: { list: [] },
    theirs: { list: [{ a: 1 }] },
    lines: ['list[]: absent / object'],
  },
])('says of $what where the kinds differ', ({ ours, theirs, lines }) => {
  expect(between(ours, theirs)).toEqual(lines);
});

it('does not look into what came from the caller', () => {
  expect(between({ elements: [{ a: 1 }] }, { elements: [{ b: 1 }] })).toEqual([]);
});
