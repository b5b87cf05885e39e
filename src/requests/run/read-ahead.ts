/** When what the claims of a wave need is read again, so that none of them waits for it: pure. */
import { type Instant, later, MINUTE, SECOND } from '../../lib/clock.ts';

/** A device that was listed longer ago is read again. Our own figure. */
export const MAX_LISTED_AGE_MS = 10 * MINUTE;

/** Devices whose rows are kept: some minutes of sending at the permitted rate, and some MiB. */
export const MAX_KEPT = 5_000;

/** Of the 20 pages a minute that are not kept for people, looks may take as many as this read. */
const PAGE_MS = 6 * SECOND;

/** Beyond so many pages (nine minutes) a wave is read once: the first rows would be old before the last are read. */
export const MAX_PAGES_IN_WAVE = 90;

/** What was read last, and how far the wave was then. */
export type LastRead = { readonly readAt: Instant; readonly from: number; readonly keptTo: number };

/** How far the wave is now, where it ends, and the pages of the fleet. */
export type WaveProgress = {
  readonly now: Instant;
  readonly position: number;
  readonly to: number;
  readonly pages: number;
};

/** Whether the pages are to be read now, at the pace of the wave since they were read last. */
export function isReadDue({ readAt, from, keptTo }: LastRead, wave: WaveProgress): boolean {
  const { now, position, to, pages } = wave;
  const oldAt = later(readAt, MAX_LISTED_AGE_MS);
  const passed = Math.max(position - from, 0);
  const reaches = (at: Instant): number =>
    passed === 0 ? position : position + (passed * Math.max(at - now, 0)) / Math.max(now - readAt, 1);
  // Where nothing was sent yet, the pace is not known.
  const servedTo =
    passed === 0 && now < oldAt ? keptTo : Math.max(Math.min(keptTo, reaches(oldAt)), position);
  const isWorthIt = pages <= MAX_PAGES_IN_WAVE && to - servedTo > pages;
  return isWorthIt && reaches(later(now, pages * PAGE_MS)) >= servedTo;
}
