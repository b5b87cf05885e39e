/** The edits of rollouts by two replicas of one database. */
import { expect, it, onTestFinished } from 'vitest';
import { createManualClock, MINUTE, SECOND, wallNow } from '../../../src/lib/clock.ts';
import { cardKey } from '../../../src/lib/ids.ts';
import {
  createRolloutTurns,
  DECISION_EDITS,
  PROGRESS_EDITS,
} from '../../../src/slack/cards/rollout-pacing.ts';
import { START } from '../../harness/builders.ts';
import { memoryStore } from '../../harness/memory-store.ts';

async function twoReplicas() {
  const clock = createManualClock(START);
  // The store tells its own time, which stands still here.
  const store = await memoryStore(undefined, () => 0);
  onTestFinished(store.close);
  // A service that takes no requests for a while keeps no card from being edited.
  await store.replicas.pause(10 * MINUTE, clock.now() - wallNow());
  const replicas = [0, 1].map(() => createRolloutTurns(clock, store.replicas));
  let revision = 0;
  /** Each replica edits this many other cards as often as it may. */
  const edits = async (cards: number, stage: string) => {
    let made = 0;
    for (const [at, replica] of replicas.entries()) {
      for (let card = 0; card < cards; card += 1) {
        revision += 1;
        const wanted = {
          card: cardKey('approval', `r_${at}_${card}`),
          revision,
          content: `${revision}`,
          stage,
        };
        const turn = await replica.turnOf(wanted, 0);
        if (turn.kind !== 'now') continue;
        replica.edited(wanted);
        made += 1;
      }
    }
    return made;
  };
  return { clock, edits };
}

it('are no more than one process may make, and decisions have a part of their own', async () => {
  const { clock, edits } = await twoReplicas();
  expect(await edits(4, 'waits')).toBe(8);
  await clock.advance(2 * MINUTE);
  let progress = 0;
  for (let times = 0; times < 12; times += 1) {
    progress += await edits(4, 'waits');
    await clock.advance(4 * SECOND);
  }
  expect(progress).toBe(PROGRESS_EDITS);
  expect(await edits(4, 'decided')).toBe(DECISION_EDITS);
});
