import { describe, expect, it } from 'vitest';
import { readButtonValue } from '../../../src/views/kit/button-value.ts';
import type { View } from '../../../src/views/model.ts';
import { renderView } from '../../../src/views/render.ts';
import { aDevice, START } from '../../harness/builders.ts';
import { renderedButtons, renderedText } from '../rendered-text.ts';

describe('lists', () => {
  const page = (at: number, unlisted = 0): View => ({
    kind: 'devices',
    title: '',
    rows: [{ device: aDevice(), groupName: null }],
    unlisted,
    paging: {
      command: 'devices',
      input: { words: [], filters: [] },
      page: at,
      pages: 3,
      total: 25,
      asOf: START,
    },
  });
  const pages = (at: number) =>
    renderedButtons(renderView(page(at)))
      .filter(({ action }) => action.startsWith('page:'))
      .map(({ action, value }) => [action, readButtonValue(value)]);

  it.each([
    [1, 'Up to 1 device couldn’t be listed.'],
    [3, 'Up to 3 devices couldn’t be listed.'],
  ])('say that devices are not among them: %j', (unlisted, said) => {
    expect(renderedText(renderView(page(0, unlisted)))).toContain(said);
    expect(renderedText(renderView(page(0)))).not.toContain('couldn’t be listed');
  });

  const to = (at: number) => ({ do: 'run', command: 'devices', input: { words: [], filters: [] }, page: at });

  it.each([
    ['first', 0, [['page:next', to(1)]]],
    [
      'middle',
      1,
      [
        ['page:prev', to(0)],
        ['page:next', to(2)],
      ],
    ],
    ['last', 2, [['page:prev', to(1)]]],
  ] as const)('go on from the %s page', (_what, at, expected) => {
    expect(pages(at)).toEqual(expected);
  });
});
