import { expect, it } from 'vitest';
import { createManualClock, HOUR, type MovableClock } from '../../../src/lib/clock.ts';
import { personId } from '../../../src/lib/ids.ts';
import { createTimeZoneCache } from '../../../src/slack/command-ports/store-settings.ts';
import type { SlackResult } from '../../../src/slack/web-api/slack-errors.ts';
import { START } from '../../harness/builders.ts';

const ME = personId('U0ME');
const DOWN: SlackResult<string | null> = { kind: 'refused', error: 'missing_scope' };

function zones(...answers: readonly SlackResult<string | null>[]) {
  let requests = 0;
  const clock: MovableClock = createManualClock(START);
  const timeZone = async () => answers[Math.min(requests++, answers.length - 1)] ?? DOWN;
  return { clock, of: createTimeZoneCache({ timeZone }, clock), asked: () => requests };
}

it('a person’s time zone in Slack is asked once an hour', async () => {
  const { of, clock, asked } = zones(
    { kind: 'ok', value: 'Europe/Berlin' },
    { kind: 'ok', value: 'Asia/Tokyo' },
  );
  expect([await of(ME), await of(ME)]).toEqual(['Europe/Berlin', 'Europe/Berlin']);
  expect(asked()).toBe(1);
  await clock.advance(HOUR);
  expect(await of(ME)).toBe('Asia/Tokyo');
});

it('the one that was known stands while Slack does not answer', async () => {
  const { of, clock } = zones({ kind: 'ok', value: 'Europe/Berlin' }, DOWN);
  await of(ME);
  await clock.advance(HOUR);
  expect(await of(ME)).toBe('Europe/Berlin');
});

it.each([
  ['Slack has none', { kind: 'ok', value: null } as const],
  ['Slack has one that nobody knows', { kind: 'ok', value: 'Mars/Olympus' } as const],
  ['Slack does not answer', DOWN],
])('there is none where %s', async (_what, answer) => {
  expect(await zones(answer).of(ME)).toBeNull();
});
