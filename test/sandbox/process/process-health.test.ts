import { expect, test } from 'vitest';
import { createManualClock, instant } from '../../../src/lib/clock.ts';
import { createProcessHealthLog } from '../../../src/sandbox/process/product-process.ts';

const AT = instant(1_800_000_000_000);

test('the last lines are kept, and long ones are cut', () => {
  const record = createProcessHealthLog(createManualClock(AT));
  for (let line = 0; line < 50; line += 1) record.line(`line ${line}`);
  record.line('x'.repeat(2_000));
  const { lines } = record.read();
  expect(lines).toHaveLength(40);
  expect(lines[0]).toEqual({ at: AT, text: 'line 11' });
  expect(lines.at(-1)?.text).toHaveLength(500);
});

test('the last exit is how it was, and when', () => {
  const record = createProcessHealthLog(createManualClock(AT));
  expect(record.read().lastExit).toBeNull();
  record.exit({ how: 'exit code 2', wanted: false });
  expect(record.read().lastExit).toEqual({ at: AT, how: 'exit code 2', wanted: false });
});
