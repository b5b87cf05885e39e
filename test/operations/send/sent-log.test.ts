import { afterEach, expect, it } from 'vitest';
import { HOUR } from '../../../src/lib/clock.ts';
import { createLog } from '../../../src/lib/log.ts';
import { type ActingSetup, createActingSetup } from '../acting-setup.ts';

let line: ActingSetup;
afterEach(() => line.close());

it('an edit that was claimed and is not sent is no line of the log', async () => {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (text: string) => void lines.push(JSON.parse(text)) };
  const steps: string[] = [];
  line = await createActingSetup({
    log: createLog({ level: 'info', destination }),
    onFailpoint: async (name) => {
      steps.push(name);
      if (name === 'operation.claimed') await line.clock.advance(HOUR);
    },
  });
  const id = await line.start({ kind: 'device-edit', change: { customName: 'front' } });
  await line.settle();
  expect(await line.targetOf(id)).toMatchObject({ state: 'not_sent' });
  expect(lines.filter(({ event }) => event === 'operation.sent')).toEqual([]);
  expect(steps).toEqual(['operation.recorded', 'operation.claimed']);
});

it.each([
  ['accept', 'accepted'],
  ['lost-after', 'unknown'],
] as const)('each command that was sent is one line of the log: %s', async (fate, outcome) => {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (text: string) => void lines.push(JSON.parse(text)) };
  line = await createActingSetup({ log: createLog({ level: 'info', destination }) });
  line.fleet.world.fate = fate;
  const approval = await line.ask({ kind: 'reboot' });
  await line.approve(approval);
  await line.settle();
  expect(lines.filter(({ event }) => event === 'operation.sent')).toMatchObject([
    { approval: approval.id, command: 'reboot', device: 42, outcome, ms: expect.any(Number) },
  ]);
  expect(JSON.stringify(lines)).not.toContain('web-01');
});
