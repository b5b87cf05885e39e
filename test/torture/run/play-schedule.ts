/** Plays a schedule: each step at its time; time stands still while a step is awaited. */
import { setTimeout as pause } from 'node:timers/promises';
import type { JournalEntry } from '../../../src/sandbox/contracts/services.ts';
import type { Schedule, ScheduleStep } from '../schedule.ts';
import { createPerformer } from './perform-step.ts';
import type { TortureStage } from './torture-stage.ts';

/** A request that a step waits for may never come, such as when the step before it was removed. */
const SEEN_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 10;
/** Requests that may have come since the last check; the next check sees further ones. */
const MORE = 40;

export async function playSchedule(stage: TortureStage, { steps }: Schedule) {
  const troubles: string[] = [];
  const { perform, acts, settled } = createPerformer(stage, (what) => troubles.push(what));
  let origin = performance.now();
  let mark = await requestsSoFar(stage);
  for (const step of steps) {
    await pause(Math.max(origin + step.at - performance.now(), 0));
    const begun = performance.now();
    await hasSeen(stage, step.when, mark);
    mark = await requestsSoFar(stage);
    await perform(step);
    origin += performance.now() - begun;
  }
  await settled();
  return { acts, troubles };
}

async function hasSeen(stage: TortureStage, when: ScheduleStep['when'], mark: number): Promise<void> {
  if (when === undefined) return;
  const end = performance.now() + SEEN_WITHIN_MS;
  let known = mark;
  while (performance.now() < end) {
    const { requests, total } = await stage.client.journalTail(known - mark + MORE);
    known = total;
    const fresh = requests.slice(Math.max(requests.length - (total - mark), 0));
    const fitting = fresh.filter((request) => nameOf(request).includes(when.seen));
    if (fitting.length >= when.count) return;
    await pause(LOOK_EVERY_MS);
  }
}

/** `METHOD /path`, followed by the key of the card that is posted or edited. */
function nameOf({ method, path, sent }: JournalEntry): string {
  return `${method} ${path} ${String(sent?.['key'] ?? '')}`;
}

async function requestsSoFar(stage: TortureStage): Promise<number> {
  return (await stage.client.journalTail(1)).total;
}
