/** Checks that the baseline is measured in place of the product: over the same sockets, from the same gesture. */
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { startBenchStage } from './bench-stage.ts';

it('sees the acknowledgement and the answer of the bare Bolt app', async () => {
  const stage = await startBenchStage({ entry: fileURLToPath(new URL('bare-bolt.ts', import.meta.url)) });
  onTestFinished(stage.stop);
  const { ackMs, answerMs, answer } = await stage.sendCommand('device web-01');
  expect(answer).toBe('a fixed answer');
  for (const taken of [ackMs, answerMs]) expect(taken).toBeGreaterThan(0);
  const services = stage.journal().map(({ service }) => service);
  expect(services).not.toContain('management');
});
