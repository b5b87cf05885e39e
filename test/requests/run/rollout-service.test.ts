/** A service that fails, throttles and cuts its answers in the middle of a rollout: the real client and a real server. */
import { afterEach, describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/lib/clock.ts';
import type { Reply } from '../../fleet/scripted-server.ts';
import { beginAtServer, type RolloutSetup, sentTwice } from './rollout-setup.ts';

const COUNT = 24;
/** A lost answer is looked for half an hour, in each wave. */
const LOOKS = 16;
const ACCEPTED: Reply = { status: 201 };
/** What the service does with these POSTs, by their number; it accepts all others. */
const TROUBLES: Readonly<Record<number, Reply>> = {
  3: { status: 500 },
  6: 'drop',
  9: { status: 429, headers: { 'retry-after': '20' } },
  12: { cut: '{"id":', status: 201 },
  14: { status: 404 },
  16: { status: 401 },
};
const PLAN = {
  waves: [
    { kind: 'devices', devices: 2 },
    { kind: 'devices', devices: 10 },
  ],
  brake: { kind: 'devices', devices: 6 },
} as const;

let line: RolloutSetup;
afterEach(() => line.close());

async function begin(reply: (index: number) => Reply) {
  const begun = await beginAtServer(COUNT, PLAN, reply);
  line = begun.line;
  return { ...begun, goOn: () => begun.goOn(LOOKS, 5 * MINUTE) };
}

describe('a rollout', () => {
  it('ends with each device sent once, whatever some answers were', async () => {
    const throttled = new Set<number>();
    const { service, goOn } = await begin((index) => {
      if (index === 9) throttled.add(index);
      return TROUBLES[index] ?? ACCEPTED;
    });
    const { state, counts } = await goOn();
    // Only what the service certainly did not take is sent once more.
    const sent = service.requests.filter((_, index) => !throttled.has(index));
    expect(sentTwice(sent)).toBe(0);
    expect(sent).toHaveLength(COUNT);
    expect(state).toBe('ended');
    expect(counts).toMatchObject({ refused: 2 });
    const { verified = 0, not_verified: failed = 0, unknown = 0, refused = 0 } = counts;
    expect(verified + failed + unknown + refused).toBe(COUNT);
  });

  it('brakes where the service refuses everything, and leaves the rest', async () => {
    let status = 201;
    const { id, service, goOn } = await begin((index) => ({ status: index < 2 ? 201 : status }));
    status = 403;
    const { counts, rollout } = await goOn();
    expect(rollout?.hold).toMatchObject({ kind: 'braked', bad: 6 });
    expect(counts.refused).toBeLessThanOrEqual(6 + 3);
    const before = service.requests.length;
    status = 201;
    await line.control(id, 'resume');
    expect(await goOn()).toMatchObject({ state: 'ended' });
    expect(sentTwice(service.requests)).toBe(0);
    expect(service.requests.length).toBeGreaterThan(before);
  });
});
