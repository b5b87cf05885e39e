import { describe, expect, it } from 'vitest';
import { createManualClock, HOUR, instant } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log.ts';
import { createAnomalyLog } from '../../src/watch/event-log.ts';

function listener() {
  const lines: unknown[] = [];
  const clock = createManualClock(instant(0));
  const log = createLog({
    level: 'info',
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  return { lines, clock, onOddity: createAnomalyLog({ clock, log }) };
}

describe('anomalies of the event log', () => {
  it('are logged with their facts, losses as errors', () => {
    const { lines, onOddity } = listener();
    onOddity({ kind: 'unreadable', rows: 2 });
    onOddity({ kind: 'cut-short', read: 7 });
    expect(lines).toMatchObject([
      { level: 40, event: 'watch.unreadable', rows: 2 },
      { level: 50, event: 'watch.cut-short', read: 7 },
    ]);
  });

  it('are logged once an hour, each kind separately', async () => {
    const { lines, clock, onOddity } = listener();
    onOddity({ kind: 'unreadable', rows: 2 });
    onOddity({ kind: 'unreadable', rows: 2 });
    onOddity({ kind: 'strays', rows: 2 });
    expect(lines).toHaveLength(2);
    await clock.advance(HOUR);
    onOddity({ kind: 'unreadable', rows: 2 });
    expect(lines).toHaveLength(3);
  });
});
