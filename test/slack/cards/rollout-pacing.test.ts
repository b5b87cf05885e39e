import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createManualClock, type Instant, later, MINUTE, SECOND, wallNow } from '../../../src/lib/clock.ts';
import { cardKey } from '../../../src/lib/ids.ts';
import {
  createRolloutPacing,
  createRolloutTurns,
  DECISION_EDITS,
  EDIT_INTERVAL_MS,
  PROGRESS_EDITS,
} from '../../../src/slack/cards/card-edit.ts';
import { START } from '../../harness/builders.ts';
import { memoryStore } from '../../harness/memory-store.ts';

/** Cards on a clock: a card that has to wait comes again when its turn is, like its work. */
function aScene() {
  let now = START;
  const clock = {
    now: () => now,
    advance: (ms: number) => {
      now = later(now, ms);
    },
  };
  const pacing = createRolloutPacing(clock);
  const shown = new Map<string, number>();
  const edits: { readonly card: string; readonly at: Instant; readonly content: string }[] = [];
  const waits = new Map<string, Instant>();
  let revision = 0;

  /** The card wants to show this now; gives when it may, null for at once. */
  const want = (name: string, content: string, stage = 'running') => {
    const card = cardKey('approval', name);
    revision += 1;
    const wanted = { card, revision, content, stage };
    const turn = pacing.turnOf(wanted, shown.get(name) ?? 0);
    if (turn.kind === 'now') {
      pacing.edited(wanted);
      shown.set(name, revision);
      edits.push({ card: name, at: clock.now(), content });
      waits.delete(name);
    }
    if (turn.kind === 'at') waits.set(name, turn.at);
    return turn;
  };
  return { clock, want, edits, waits, shown };
}

describe('the pace of edits of rollouts', () => {
  it('leaves three seconds between two edits of a card', () => {
    const { clock, want, edits } = aScene();
    expect(want('r_1', '1').kind).toBe('now');
    clock.advance(SECOND);
    expect(want('r_1', '2')).toEqual({ kind: 'at', at: later(START, EDIT_INTERVAL_MS) });
    clock.advance(2 * SECOND);
    expect(want('r_1', '3').kind).toBe('now');
    expect(edits.map(({ content }) => content)).toEqual(['1', '3']);
  });

  it('never puts a turn off because more has changed', () => {
    const { clock, want } = aScene();
    want('r_1', 'first');
    const ats = new Set<unknown>();
    for (let ms = 0; ms < EDIT_INTERVAL_MS; ms += 100) {
      const turn = want('r_1', `change ${ms}`);
      if (turn.kind === 'at') ats.add(turn.at);
      clock.advance(100);
    }
    expect([...ats]).toEqual([later(START, EDIT_INTERVAL_MS)]);
    expect(want('r_1', 'last').kind).toBe('now');
  });

  it('edits nothing that looks the same', () => {
    const { clock, want, shown } = aScene();
    want('r_1', 'same');
    clock.advance(MINUTE);
    expect(want('r_1', 'same').kind).toBe('shown');
    // Another replica drew something else in between.
    shown.set('r_1', 99);
    expect(want('r_1', 'same').kind).toBe('now');
  });

  it('lets a decision go before the progress of others', () => {
    const { clock, want } = aScene();
    for (let at = 0; at < PROGRESS_EDITS; at += 1) {
      want(`r_${at}`, 'begins');
      clock.advance(EDIT_INTERVAL_MS / 10);
    }
    clock.advance(MINUTE);
    for (let at = 0; at < PROGRESS_EDITS; at += 1) want(`r_${at}`, 'goes on');
    expect(want('r_0', 'goes on still').kind).toBe('at');
    clock.advance(EDIT_INTERVAL_MS);
    expect(want('r_0', 'paused', 'paused').kind).toBe('now');
  });

  it('makes at most 25 edits in any minute, whatever is wanted and when, and forgets no card', () => {
    const step = fc.record({
      name: fc.integer({ min: 0, max: 40 }).map((id) => `r_${id}`),
      stage: fc.constantFrom('running', 'running', 'running', 'paused'),
      afterMs: fc.integer({ min: 0, max: 1_500 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 50, maxLength: 300 }), (steps) => {
        const { clock, want, edits, waits } = aScene();
        let wanted = 0;
        const last = new Map<string, string>();
        for (const { name, stage, afterMs } of steps) {
          clock.advance(afterMs);
          for (const [card, at] of [...waits]) if (at <= clock.now()) want(card, last.get(card) ?? '');
          wanted += 1;
          last.set(name, `${wanted} ${stage}`);
          want(name, `${wanted} ${stage}`, stage);
        }
        for (let ms = 0; ms < 10 * MINUTE && waits.size > 0; ms += SECOND) {
          clock.advance(SECOND);
          for (const [card, at] of [...waits]) if (at <= clock.now()) want(card, last.get(card) ?? '');
        }
        expect(waits.size).toBe(0);
        for (const [name, content] of last)
          expect(edits.findLast(({ card }) => card === name)?.content).toBe(content);
        for (const [at, edit] of edits.entries()) {
          const inMinute = edits.slice(at).filter((one) => one.at < later(edit.at, MINUTE));
          expect(inMinute.length).toBeLessThanOrEqual(PROGRESS_EDITS + DECISION_EDITS);
          const next = edits.slice(at + 1).find(({ card }) => card === edit.card);
          if (next !== undefined) expect(next.at - edit.at).toBeGreaterThanOrEqual(EDIT_INTERVAL_MS);
        }
      }),
      { numRuns: 30 },
    );
  }, 60_000);
});

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
