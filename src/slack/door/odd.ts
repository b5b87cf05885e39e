/** Says what came to the door and was not taken: without its content or a stack, and a few times a minute. */
import { z } from 'zod';
import { type Clock, MINUTE } from '../../clock.ts';
import type { Log } from '../../log.ts';
import { createBounded } from '../bounded.ts';

/** `why`: one of a few fixed words, never anything of the payload. */
export type NoteOdd = (door: 'http' | 'socket' | 'payload', why: string) => void;

const MOST_LINES = 3;

export function createNoteOdd(log: Log, clock: Pick<Clock, 'now'>): NoteOdd {
  const bounded = createBounded({ clock, most: MOST_LINES, everyMs: MINUTE });
  return (door, why) => {
    const passed = bounded(`${door} ${why}`);
    if (!passed.pass) return;
    const { skipped } = passed;
    log.warn({ event: 'slack.odd', door, why, skipped }, 'ignored unexpected input from Slack');
  };
}

/** A listener that could not read its payload met something odd; any other failure is one of ours, with its stack. */
export function noteListenerFailed(error: Error, noteOdd: NoteOdd, log: Log): void {
  const cause: unknown = 'original' in error ? error.original : error;
  if (cause instanceof z.ZodError) noteOdd('payload', 'not read by its listener');
  else log.error({ event: 'slack.listener-failed', err: error }, 'Slack listener failed');
}
