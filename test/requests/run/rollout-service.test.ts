/** A service that fails, throttles and cuts its answers in the middle of a rollout: the real client and a real server. */
import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/lib/clock.ts';
import type { Reply } from '../../fleet/scripted-server.ts';
import { beginAtServer, sentTwice } from './rollout-setup.ts';

const COUNT = 24;
/** How many looks, and how far apart: a lost answer is looked for half an hour, in each wave. */
const LOOKS = [16, 5 * MINUTE] as const;
const ACCEPTED: Reply = { status: 201 };
const THROTTLED = 9;
/** What the service does with these POSTs, by their number; it accepts all others. */
const TROUBLES: Readonly<Record<number, Reply>> = {
  3: { status: 500 },
  6: 'drop',
  [THROTTLED]: { status: 429, headers: { 'retry-after': '20' } },
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

const begin = (reply: (index: number) => Reply) => beginAtServer(COUNT, PLAN, reply);

describe('a rollout', () => {
  it('ends with each device sent once, whatever some answers were', async () => {
    const { service, goOn } = await begin((index) => TROUBLES[index] ?? ACCEPTED);
    const { state, counts } = await goOn(...LOOKS);
    // Only what the service certainly did not take is sent once more.
    const sent = service.requests.filter((_, index) => index !== THROTTLED);
    expect(sentTwice(sent)).toBe(0);
    expect(sent).toHaveLength(COUNT);
    expect(state).toBe('ended');
    expect(counts).toMatchObject({ refused: 2 });
    const { verified = 0, not_verified: failed = 0, unknown = 0, refused = 0 } = counts;
    expect(verified + failed + unknown + refused).toBe(COUNT);
  });

  it('brakes where the service refuses everything, and leaves the rest', async () => {
    let status = 201;
    const { line, id, service, goOn } = await begin((index) => ({ status: index < 2 ? 201 : status }));
    status = 403;
    const { counts, rollout } = await goOn(...LOOKS);
    expect(rollout?.hold).toMatchObject({ kind: 'braked', bad: 6 });
    expect(counts.refused).toBeLessThanOrEqual(6 + 3);
    const before = service.requests.length;
    status = 201;
    await line.control(id, 'resume');
    expect(await goOn(...LOOKS)).toMatchObject({ state: 'ended' });
    expect(sentTwice(service.requests)).toBe(0);
    expect(service.requests.length).toBeGreaterThan(before);
  });
});
