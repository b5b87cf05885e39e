import { describe, expect, it } from 'vitest';
import { createManualClock, instant, later, MINUTE } from '../../../src/lib/clock.ts';
import { errorOf, rowsOf, scriptedFleet } from '../harness.ts';

const HERE = instant(Date.UTC(2026, 0, 5, 10, 2));
const THERE = instant(Date.UTC(2026, 0, 5, 10));
const date = (at: number) => ({ date: new Date(at).toUTCString() });

describe('the service’s clock', () => {
  it('is read from the date of its answers, and ticks with ours', async () => {
    const clock = createManualClock(HERE);
    const { reader, serviceNow } = await scriptedFleet({ headers: date(THERE), body: [] }, { clock });
    expect(serviceNow()).toBeNull();
    await rowsOf(reader.events());
    expect(serviceNow()).toBe(THERE);
    await clock.advance(MINUTE);
    expect(serviceNow()).toBe(later(THERE, MINUTE));
  });

  it('is not that of an error, which may come from a gateway', async () => {
    const clock = createManualClock(HERE);
    const script = [
      { headers: date(THERE), body: [] },
      { status: 404, headers: date(HERE), body: {} },
    ];
    const { reader, serviceNow } = await scriptedFleet(script, { clock });
    await rowsOf(reader.events());
    await errorOf(rowsOf(reader.events()));
    expect(serviceNow()).toBe(THERE);
  });
});
