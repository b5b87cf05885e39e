import { describe, expect, it } from 'vitest';
import { createManualClock, instant, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { channelId } from '../../../src/lib/ids.ts';
import { createChannelPacing } from '../../../src/slack/cards/card-outbox.ts';

const ALERTS = channelId('C0ALERTS');
const OTHER = channelId('C0OTHER');

function paced() {
  const clock = createManualClock(instant(0));
  return { clock, pace: createChannelPacing(clock) };
}

describe('the pace of a channel', () => {
  it('is free until Slack asks to wait', () => {
    const { pace } = paced();
    expect(pace.nextTurn(ALERTS, 'notice:1')).toBeNull();
    expect(pace.nextTurn(ALERTS, 'notice:2')).toBeNull();
  });

  it('gives each waiting card a second of its own after a 429, and keeps it', async () => {
    const { clock, pace } = paced();
    expect(pace.throttled(ALERTS, 'notice:1', 5 * SECOND)).toBe(5_000);
    expect(pace.nextTurn(ALERTS, 'notice:2')).toBe(6_100);
    expect(pace.nextTurn(ALERTS, 'notice:3')).toBe(7_200);
    expect(pace.nextTurn(ALERTS, 'notice:2')).toBe(6_100);
    await clock.advance(6_100);
    expect(pace.nextTurn(ALERTS, 'notice:1')).toBeNull();
    expect(pace.nextTurn(ALERTS, 'notice:2')).toBeNull();
    expect(pace.nextTurn(ALERTS, 'notice:3')).toBe(7_200);
  });

  it('moves those who wait behind a second pause, in their order', () => {
    const { pace } = paced();
    pace.throttled(ALERTS, 'notice:1', SECOND);
    pace.nextTurn(ALERTS, 'notice:2');
    pace.nextTurn(ALERTS, 'notice:3');
    expect(pace.throttled(ALERTS, 'notice:1', 30 * SECOND)).toBe(30_000);
    expect(pace.nextTurn(ALERTS, 'notice:2')).toBe(31_100);
    expect(pace.nextTurn(ALERTS, 'notice:3')).toBe(32_200);
  });

  it('does not touch other channels', () => {
    const { pace } = paced();
    pace.throttled(ALERTS, 'notice:1', MINUTE);
    expect(pace.nextTurn(OTHER, 'approval:1')).toBeNull();
  });

  it('is free again ten minutes after the last 429', async () => {
    const { clock, pace } = paced();
    pace.throttled(ALERTS, 'notice:1', SECOND);
    await clock.advance(SECOND);
    expect(pace.nextTurn(ALERTS, 'notice:1')).toBeNull();
    await clock.advance(11 * MINUTE);
    expect(pace.nextTurn(ALERTS, 'notice:2')).toBeNull();
    expect(pace.nextTurn(ALERTS, 'notice:3')).toBeNull();
  });
});
