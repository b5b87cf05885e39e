/** The devices of a rollout in a list and in its file, and the rollouts in the list of all commands. */
import { describe, expect, it } from 'vitest';
import type { RequestWithTargets } from '../../../../src/store/port/request-records.ts';
import { readButtonValue } from '../../../../src/views/kit/buttons.ts';
import { resultsCsv } from '../../../../src/views/requests/request-lists.ts';
import { renderView } from '../../../../src/views/views.ts';
import { START } from '../../../harness/builders.ts';
import { aReadyTarget, aRequest, someFacts, somePackages } from '../../../harness/records.ts';
import { aRollout, aRolloutRequest } from '../../../harness/rollouts.ts';
import { renderedButtons, renderedText } from '../../rendered-text.ts';

const paging = { command: 'operations', input: {}, page: 0, pages: 1, total: 40, asOf: START };
const at = (position: number, missing: readonly string[]) => ({
  ...aReadyTarget(someFacts({ displayName: `web-${position}`, packages: somePackages(...missing) })),
  position,
});
const rows = [at(0, ['openssl', 'curl']), at(9, []), at(10, ['a', 'b', 'c', 'd', 'e'])];
const results = (request: RequestWithTargets) =>
  ({ kind: 'results', request, group: null, rows, link: null, paging }) as const;

describe('the devices of a rollout that waits', () => {
  it('have their wave, and the packages that are installed', () => {
    const shown = renderedText(renderView(results(aRolloutRequest())));
    expect(shown).toContain('⏳ *web-0*: Waiting · Wave 1 · curl, openssl\n');
    expect(shown).toContain('⏳ *web-9*: Waiting · Wave 2\n');
    expect(shown).toContain('⏳ *web-10*: Waiting · Wave 3 · a, b, c, d and 1 more');
  });

  it('have no wave where there is only one', () => {
    const shown = renderedText(
      renderView(results(aRolloutRequest({ rollout: aRollout(40, { waves: [] }) }))),
    );
    expect(shown).toContain('⏳ *web-9*: Waiting\n');
  });

  it('have both in the file', () => {
    const { head, rows: lines } = resultsCsv(results(aRolloutRequest()));
    const columns = [head.indexOf('wave'), head.indexOf('packages')];
    expect(lines.map((line) => columns.map((column) => line[column]))).toEqual([
      [1, 'curl; openssl'],
      [2, ''],
      [3, 'a; b; c; d; e'],
    ]);
  });
});

describe('the list of commands', () => {
  it('opens the results of each rollout, and keeps the order', () => {
    const command = aRequest({ state: 'running', expiresAt: null });
    const rollout = aRolloutRequest({ state: 'running' });
    const requests = [command, rollout, command, command, rollout];
    const view = renderView({
      kind: 'operations',
      rows: requests.map((request) => ({ request, link: null })),
      open: 5,
      paging,
    });
    const [, ...blocks] = view.blocks.map((block) => ('accessory' in block ? 'rollout' : block.type));
    expect(blocks.slice(0, 4)).toEqual(['section', 'rollout', 'section', 'rollout']);
    const [results] = renderedButtons(view);
    expect(readButtonValue(results?.value ?? '')).toMatchObject({
      command: 'operations',
      input: { of: 'r_1' },
    });
  });
});
