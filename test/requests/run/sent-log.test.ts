import { expect, it } from 'vitest';
import { HOUR } from '../../../src/lib/clock.ts';
import { createLog } from '../../../src/lib/log.ts';
import { createRequestsSetup, type RequestsSetup } from '../requests-setup.ts';

let line: RequestsSetup;

it('an edit that was claimed and is not sent is no line of the log', async () => {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (text: string) => void lines.push(JSON.parse(text)) };
  const steps: string[] = [];
  line = await createRequestsSetup({
    log: createLog({ level: 'info', destination }),
    onFailpoint: async (name) => {
      steps.push(name);
      if (name === 'target.claimed') await line.clock.advance(HOUR);
    },
  });
  const id = await line.start({ kind: 'device-edit', change: { customName: 'front' } });
  await line.settle();
  expect(await line.targetOf(id)).toMatchObject({ state: 'not_sent' });
  expect(lines.filter(({ event }) => event === 'operation.sent')).toEqual([]);
  expect(steps).toEqual(['request.recorded', 'target.claimed']);
});

it.each([
  ['accept', 'accepted'],
  ['lost-after', 'unknown'],
] as const)('each command that was sent is one line of the log: %s', async (fate, outcome) => {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (text: string) => void lines.push(JSON.parse(text)) };
  line = await createRequestsSetup({ log: createLog({ level: 'info', destination }) });
  line.fleet.world.fate = fate;
  const request = await line.approved({ kind: 'reboot' });
  expect(lines.filter(({ event }) => event === 'operation.sent')).toMatchObject([
    { request: request.id, command: 'reboot', device: 42, outcome, ms: expect.any(Number) },
  ]);
  expect(JSON.stringify(lines)).not.toContain('web-01');
});
