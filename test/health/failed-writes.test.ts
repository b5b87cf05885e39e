/** Writes that Slack answers with errors of its own, while it answers reads. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { detectTroubles } from '../../src/health/detect-troubles.ts';
import { createVitalSigns } from '../../src/health/health-monitor.ts';
import { createManualClock, MINUTE } from '../../src/lib/clock.ts';
import { START } from '../harness/builders.ts';
import { memoryStore } from '../harness/memory-store.ts';
import { vitals } from './fake-vitals.ts';

async function startSigns() {
  const clock = createManualClock(START);
  const store = await memoryStore();
  onTestFinished(store.close);
  const signs = createVitalSigns(clock);
  const pollLoop = { health: () => ({ lastSuccess: clock.now(), failures: 0, restarted: null }) };
  const kinds = async () => {
    const read = await signs.read({
      store,
      pollLoop,
      connected: () => true,
      service: () => vitals().service,
    });
    return detectTroubles(read, clock.now()).map(({ trouble, notReady }) => [trouble.kind, notReady]);
  };
  /** A minute in which a write fails and a read is answered. */
  const failing = async (minutes: number) => {
    for (let count = 0; count < minutes; count += 1) {
      signs.slack.unanswered(true);
      signs.slack.answered('auth.test', false);
      await clock.advance(MINUTE);
    }
  };
  return { clock, signs, kinds, failing };
}

describe('failed writes', () => {
  it('make Patchbay not ready when they last, although reads are answered', async () => {
    const { signs, kinds, failing } = await startSigns();
    await failing(10);
    expect(await kinds()).toEqual([]);
    await failing(1);
    expect(await kinds()).toEqual([['slack-silent', true]]);
    signs.slack.answered('chat.postMessage', true);
    expect(await kinds()).toEqual([]);
  });

  it('say nothing when they are few, or long ago', async () => {
    const { clock, signs, kinds, failing } = await startSigns();
    await failing(2);
    await clock.advance(9 * MINUTE);
    signs.slack.answered('auth.test', false);
    expect(await kinds()).toEqual([]);
    await failing(3);
    await clock.advance(10 * MINUTE);
    expect(await kinds()).toEqual([]);
  });

  it('are no matter for a second client of the app token, which each count has to find', async () => {
    const { clock, signs, kinds } = await startSigns();
    signs.connectionsCounted(1);
    await clock.advance(10 * MINUTE - 1);
    signs.connectionsCounted(1);
    await clock.advance(1);
    expect(await kinds()).toEqual([]);
    signs.connectionsCounted(1);
    expect(await kinds()).toEqual([['slack-shared', true]]);
    signs.connectionsCounted(0);
    signs.connectionsCounted(1);
    expect(await kinds()).toEqual([]);
  });
});
