import { describe, expect, it } from 'vitest';
import { createManualClock, instant, later, wallNow } from '../../src/clock.ts';
import type { Lane } from '../../src/fleet/fleet.ts';
import { createLanes, type Lanes, type Turn } from '../../src/fleet/lanes.ts';

const start = instant(Date.UTC(2026, 0, 1));

function lanesOf(concurrency: number) {
  const clock = createManualClock(start);
  return { clock, lanes: createLanes({ clock, concurrency }) };
}
function enter(lanes: Lanes, lane: Lane = 'background', leftMs = 60_000): Promise<Turn> {
  return lanes.enter({ lane, deadline: later(wallNow(), leftMs) });
}
function leave(turn: Turn): void {
  if (turn.kind !== 'go') throw new Error(`no turn: ${turn.kind}`);
  turn.leave();
}
/** What became of each entrant so far; null while it waits. */
async function soFar(turns: readonly Promise<Turn>[]): Promise<readonly (string | null)[]> {
  const kinds: (string | null)[] = turns.map(() => null);
  for (const [index, turn] of turns.entries()) {
    void turn.then(({ kind }) => {
      kinds[index] = kind;
    });
  }
  await new Promise(setImmediate);
  return kinds;
}

describe('lanes', () => {
  it('let a few calls run at once, the others in their order', async () => {
    const { lanes } = lanesOf(2);
    const first = enter(lanes);
    const others = [enter(lanes), enter(lanes), enter(lanes)];
    expect(await soFar(others)).toEqual(['go', null, null]);
    leave(await first);
    expect(await soFar(others)).toEqual(['go', 'go', null]);
  });

  it('serve a person before background work that came earlier', async () => {
    const { lanes } = lanesOf(1);
    const running = enter(lanes);
    const background = enter(lanes);
    const person = enter(lanes, 'person');
    leave(await running);
    expect(await soFar([background, person])).toEqual([null, 'go']);
    leave(await person);
    expect(await soFar([background])).toEqual(['go']);
  });

  it('count a call that leaves twice once', async () => {
    const { lanes } = lanesOf(1);
    const first = await enter(lanes);
    const others = [enter(lanes), enter(lanes)];
    leave(first);
    leave(first);
    expect(await soFar(others)).toEqual(['go', null]);
  });

  it('hold everybody during a pause, until the clock has passed it', async () => {
    const { lanes, clock } = lanesOf(2);
    lanes.pause(5_000);
    const turns = [enter(lanes, 'person'), enter(lanes)];
    await clock.advance(4_999);
    expect(await soFar(turns)).toEqual([null, null]);
    await clock.advance(1);
    expect(await soFar(turns)).toEqual(['go', 'go']);
  });

  it('keep the longer of two pauses', async () => {
    const { lanes, clock } = lanesOf(1);
    lanes.pause(5_000);
    lanes.pause(1_000);
    const turn = enter(lanes);
    await clock.advance(4_999);
    expect(await soFar([turn])).toEqual([null]);
    await clock.advance(1);
    expect(await soFar([turn])).toEqual(['go']);
  });

  it('send away at once whoever cannot outwait a pause, also those who waited already', async () => {
    const { lanes } = lanesOf(1);
    await enter(lanes);
    const waiting = enter(lanes, 'person', 20_000);
    lanes.pause(30_000);
    const turn = { kind: 'throttled', retryAfterMs: 30_000 };
    expect(await waiting).toEqual(turn);
    expect(await enter(lanes, 'background', 29_000)).toEqual(turn);
  });

  it('say so when no turn came in time, and give the place to the next', async () => {
    const { lanes } = lanesOf(1);
    const running = await enter(lanes);
    expect(await enter(lanes, 'person', 5)).toEqual({ kind: 'late' });
    const next = enter(lanes);
    leave(running);
    expect(await soFar([next])).toEqual(['go']);
  });

  it('let a caller give up, with its own reason', async () => {
    const { lanes } = lanesOf(1);
    const running = await enter(lanes);
    const abort = new AbortController();
    const deadline = later(wallNow(), 60_000);
    const given = lanes.enter({ lane: 'person', deadline, signal: abort.signal });
    const next = enter(lanes);
    abort.abort(new Error('went home'));
    await expect(given).rejects.toThrow('went home');
    await expect(lanes.enter({ lane: 'person', deadline, signal: abort.signal })).rejects.toThrow(
      'went home',
    );
    leave(running);
    expect(await soFar([next])).toEqual(['go']);
  });
});
