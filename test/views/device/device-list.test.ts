import { describe, expect, it } from 'vitest';
import { readButtonValue } from '../../../src/views/kit/buttons.ts';
import type { View } from '../../../src/views/model.ts';
import { renderView } from '../../../src/views/views.ts';
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

  const totalled = (total: number, online: number, offline: number): string => {
    const view = page(0);
    if (view.kind !== 'devices') throw new Error(view.kind);
    const totals = { online, offline, pending: total, needsReboot: 1, noncompliant: 0 };
    const shown = renderView({ ...view, totals, paging: { ...view.paging, total } });
    return renderedText(shown).split('\n')[1] ?? '';
  };

  it.each([
    [7, 7, 0, '7 devices: all online, all with pending patches, 1 requires a reboot, 0 not compliant.'],
    [7, 0, 7, '7 devices: all offline, all with pending patches, 1 requires a reboot, 0 not compliant.'],
    [7, 5, 1, '7 devices: 5 online, 1 offline, all with pending patches'],
    [1, 1, 0, '1 device: 1 online, 0 offline, 1 with pending patches, 1 requires a reboot'],
  ])('count above their rows how %i devices are', (total, online, offline, words) => {
    expect(totalled(total, online, offline)).toContain(words);
  });

  it('count what is not known beside what is', () => {
    const view = page(0);
    if (view.kind !== 'devices') throw new Error(view.kind);
    const unknown = { connection: 2, pending: 3, needsReboot: 4, compliance: 5 };
    const totals = { online: 5, offline: 0, pending: 0, needsReboot: 0, noncompliant: 0, unknown };
    for (const [unstated, more] of [
      [1, '1 more device matches'],
      [13, '13 more devices match'],
    ] as const)
      expect(renderedText(renderView({ ...view, unstated }))).toContain(`Unknown whether ${more}.`);
    expect(renderedText(renderView({ ...view, totals, paging: { ...view.paging, total: 7 } }))).toContain(
      '7 devices: 5 online, 0 offline (2 unknown), 0 with pending patches (3 unknown), 0 require a reboot (4 unknown), 0 not compliant (5 unknown).',
    );
  });

  it('mark each device that is not compliant', () => {
    const view = page(0);
    if (view.kind !== 'devices') throw new Error(view.kind);
    const rows = [aDevice({ compliant: false }), aDevice({ compliant: null })].map((device) => ({
      device,
      groupName: null,
    }));
    expect(renderedText(renderView({ ...view, rows })).match(/· not compliant/g)).toHaveLength(1);
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
