/** What is offered in place of a name that nothing has. */
import { expect, it } from 'vitest';
import type { View } from '../../src/views/model.ts';
import { render } from '../../src/views/render.ts';

const offering = (what: 'group' | 'policy', detail: string | null): string => {
  const choice = { command: what, input: { [what]: 7 } };
  const offers = [{ kind: 'named', what, name: 'Nightly', id: 7, detail, choice }] as const;
  const view: View = {
    kind: 'problem',
    problem: { kind: `no-such-${what}`, query: 'Nighly', nearest: ['Nightly'], offers },
  };
  return JSON.stringify(render(view).blocks);
};

it.each([
  ['policy', 'custom', '*Nightly* · #7 · Worklet'],
  ['policy', 'required_software', '*Nightly* · #7 · required software'],
  ['policy', 'newer', '*Nightly* · #7 · newer'],
  ['group', 'custom', '*Nightly* · #7 · custom'],
  ['group', '', '*Nightly* · #7"'],
] as const)('tells a %s of “%s” from others in words', (what, detail, words) => {
  expect(offering(what, detail)).toContain(words);
});

it('says of policies of one name of which kind each is', () => {
  const choice = { command: 'policy', input: { policy: 7 } };
  const rows = ['patch', 'custom'].map((detail, at) => ({ id: at + 1, name: 'Nightly', detail, choice }));
  const drawn = render({ kind: 'choices', what: 'policy', query: 'Nightly', rows, total: 2 });
  expect(JSON.stringify(drawn.blocks)).toMatch(/#1 · patch policy.*#2 · Worklet/);
});
