/**
 * The service cuts, garbles or throttles some answers in the middle of a wave: of commands, of lists and of single reads.
 * The rollout ends by itself, no device gets its command twice, and the card says of which nobody knows.
 */
import { beforeEach, expect, it, vi } from 'vitest';
import { onlineDevices } from '../harness/online-devices.ts';
import { useSandboxPeople } from '../harness/use-sandbox-people.ts';
import { type Card, cardWith, rolloutCard } from './rollout-harness.ts';

// Lost answers are looked for during half an hour of the sandbox's clock.
vi.setConfig({ testTimeout: 120_000 });

const COUNT = 14;
const SEND = 'POST /servers/{id}/queues';
const QUEUE = 'GET /servers/{id}/queues';
const ANY_READ = 'GET /servers';
const ALL_VERIFIED = `${COUNT} verified`;

const people = useSandboxPeople();
beforeEach(() => people.reset());

/** Its card. */
async function ask(): Promise<Card> {
  const names = (await onlineDevices(people)).slice(0, COUNT).map((id) => `#${id}`);
  const text = `reboot ${names.join(',')} waves:2,100% brake:${COUNT} because kernel`;
  await people.command({ user: 'operator', channel: 'ops', command: '/fleet', text });
  await cardWith(people, [`⏳ Waiting for approval: Reboot ${COUNT} devices`]);
  return rolloutCard(people);
}

/** Lets time pass until the rollout ended, or is held. */
async function goOn(): Promise<readonly string[]> {
  for (let steps = 0; steps < 50; steps += 1) {
    await people.advance('1m');
    const { lines } = await rolloutCard(people);
    if (lines.some((line) => line.includes(`${COUNT} of ${COUNT} done`))) return lines;
  }
  return (await rolloutCard(people)).lines;
}

type Case = {
  readonly match: string;
  readonly kind: 'malformed' | 'cut' | 'cut-after' | 'throttle';
  /** Requests like it that are answered before. */
  readonly after: number;
  readonly times: number;
  readonly counts: string;
};

it.each<Case>([
  { match: SEND, kind: 'malformed', after: 5, times: 3, counts: ALL_VERIFIED },
  { match: SEND, kind: 'cut-after', after: 5, times: 3, counts: ALL_VERIFIED },
  { match: SEND, kind: 'cut', after: 5, times: 3, counts: `${COUNT - 3} verified, 3 outcome unknown` },
  { match: SEND, kind: 'throttle', after: 5, times: 2, counts: ALL_VERIFIED },
  { match: QUEUE, kind: 'malformed', after: 5, times: 6, counts: ALL_VERIFIED },
  { match: ANY_READ, kind: 'malformed', after: 4, times: 8, counts: ALL_VERIFIED },
  { match: ANY_READ, kind: 'cut', after: 4, times: 8, counts: ALL_VERIFIED },
])('$times times $kind in $match: $counts', async ({ match, kind, after, times, counts }) => {
  const fault = { service: 'management', match } as const;
  const card = await ask();
  // The first ones are delayed by nothing, which only counts them.
  await people.fault({ ...fault, kind: 'slow', ms: 0, times: after });
  await people.fault({ ...fault, kind, times });
  await people.push('approver', card, 'approve');
  const lines = await goOn();
  expect(lines).toContain(counts);
  expect(await people.state()).toMatchObject({ faults: [] });
  const writes = await people.writes();
  expect(new Set(writes).size).toBe(COUNT);
  // Only what the service certainly did not take is sent again.
  expect(writes).toHaveLength(kind === 'throttle' ? COUNT + times : COUNT);
});
