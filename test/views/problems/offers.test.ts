/** Suggestions for a name that does not exist. */
import { expect, it } from 'vitest';
import type { View } from '../../../src/views/model.ts';
import { renderView } from '../../../src/views/views.ts';
import { renderedButtons } from '../rendered-text.ts';

const offering = (what: 'group' | 'policy', detail: string | null): string => {
  const choice = { command: what, input: { [what]: 7 } };
  const offers = [{ kind: 'named', what, name: 'Nightly', id: 7, detail, choice }] as const;
  const view: View = {
    kind: 'problem',
    problem: { kind: `no-such-${what}`, query: 'Nighly', nearest: ['Nightly'], offers },
  };
  return JSON.stringify(renderView(view).blocks);
};

it.each([
  ['policy', 'custom', '*Nightly* · #7 · worklet'],
  ['policy', 'required_software', '*Nightly* · #7 · required software'],
  ['policy', 'newer', '*Nightly* · #7 · newer'],
  ['group', 'custom', '*Nightly* · #7 · custom'],
  ['group', '', '*Nightly* · #7"'],
] as const)('tells a %s of “%s” from others in words', (what, detail, words) => {
  expect(offering(what, detail)).toContain(words);
});

it('gives the line of a setting a button that does it, stored before it is acknowledged', () => {
  const choice = { command: 'acknowledge', input: { alert: 1 } };
  const offers = [{ kind: 'line', line: '/fleet acknowledge 1', does: 'set', choice }] as const;
  const problem = { kind: 'unknown-command', word: 'ack', nearest: [], offers, root: '/fleet' } as const;
  const [pressed] = renderedButtons(renderView({ kind: 'problem', problem }));
  expect(pressed?.action).toBe('pick:0');
  // A button that carries a page only reads, so it is not stored.
  expect(JSON.parse(pressed?.value ?? '')).toEqual({ do: 'run', ...choice });
});

it('says of policies of one name of which kind each is', () => {
  const choice = { command: 'policy', input: { policy: 7 } };
  const rows = ['patch', 'custom'].map((detail, at) => ({ id: at + 1, name: 'Nightly', detail, choice }));
  const drawn = renderView({ kind: 'choices', what: 'policy', query: 'Nightly', rows, total: 2 });
  expect(JSON.stringify(drawn.blocks)).toMatch(/#1 · patch policy.*#2 · worklet/);
});
