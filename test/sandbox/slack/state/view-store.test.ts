/** What is stored of modals, and for how long. */
import { expect, it } from 'vitest';
import { createManualClock } from '../../../../src/lib/clock.ts';
import { interactiveElements } from '../../../../src/sandbox/slack/blocks/elements.ts';
import { createIds } from '../../../../src/sandbox/slack/core/ids.ts';
import {
  createEnteredValueStore,
  createViewStore,
  type SlackView,
  type ViewStore,
} from '../../../../src/sandbox/slack/state/view-store.ts';
import { OPERATOR, START } from '../harness/workspace-harness.ts';

const element = { type: 'plain_text_input', action_id: 'it' };
const blocks = [{ type: 'input', block_id: 'why', label: { type: 'plain_text', text: 'x' }, element }];
const content = { content: {}, blocks };

/** Two stacked modals with an entered value each. */
function twoModals() {
  const inputs = createEnteredValueStore();
  const views = createViewStore(createIds(createManualClock(START)), inputs);
  const [found] = interactiveElements(blocks);
  const both = [views.open(OPERATOR, content), views.push(OPERATOR, content)] as const;
  for (const { id } of both) {
    if (found) inputs.enter(OPERATOR, id, found, { type: 'plain_text_input', value: 'because' });
    if (found) inputs.offer(OPERATOR, id, found, [{ value: 'a' }]);
  }
  const kept = () =>
    both.map(({ id }) => found && [inputs.entered(OPERATOR, id), inputs.offered(OPERATOR, id, found)]);
  return { views, both, kept };
}
const NOTHING = [{}, []];
const ALL = [{ why: { it: { type: 'plain_text_input', value: 'because' } } }, [{ value: 'a' }]];

it.each<[string, (views: ViewStore, both: readonly [SlackView, SlackView]) => void, unknown[]]>([
  ['the upper one is closed', (views, [, upper]) => views.close(upper), [ALL, NOTHING]],
  ['the lower one is closed', (views, [lower]) => views.close(lower), [NOTHING, NOTHING]],
  ['all are cleared', (views) => views.clear(OPERATOR), [NOTHING, NOTHING]],
  ['another is opened in their place', (views) => views.open(OPERATOR, content), [NOTHING, NOTHING]],
])('when %s, what was entered into closed modals is forgotten', (_what, act, expected) => {
  const { views, both, kept } = twoModals();
  expect(kept()).toEqual([ALL, ALL]);
  act(views, both);
  expect(kept()).toEqual(expected);
});
