/** Checks that the baseline is measured in place of the product: over the same sockets, from the same gesture. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBenchStage } from './bench-stage.ts';
import { requestsPerPoll } from './idle-polls.ts';

it('sees the acknowledgement and the answer of the bare Bolt app', async () => {
  const stage = await startBenchStage({ entry: fileURLToPath(new URL('bare-bolt.ts', import.meta.url)) });
  onTestFinished(stage.stop);
  const { ackMs, answerMs, answer } = await stage.sendCommand('device web-01');
  expect(answer).toBe('a fixed answer');
  for (const taken of [ackMs, answerMs]) expect(taken).toBeGreaterThan(0);
  const services = stage.journal().map(({ service }) => service);
  expect(services).not.toContain('management');
});

const at = (seconds: number, path = '/events') => ({ at: seconds * 1_000, path });

describe('requests per poll', () => {
  it('is one when each poll reads one page, however the clock was moved', () => {
    expect(requestsPerPoll([at(0), at(15.2), at(25.3), at(40.5)])).toBe(1);
  });

  it('counts a second page', () => {
    expect(requestsPerPoll([at(0), at(0.1), at(15), at(15.1)])).toBe(2);
  });

  it('counts all other requests, at any time', () => {
    expect(requestsPerPoll([at(0), at(7, '/servers'), at(15), at(22, '/api/auth.test')])).toBe(2);
  });
});
