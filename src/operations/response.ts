/** What is kept and said of a device's answer: its exit code. Its output may hold secrets and stays hidden. Pure. */
import type { QueueResponse } from '../fleet/model.ts';

const SHOWN = /^exit code (-?\d{1,16})$/;

/** What is stored of an answer; empty where it states no exit code. */
export function shownOf(response: QueueResponse | null): string {
  const exitCode = response?.exitCode ?? null;
  return exitCode === null ? '' : `exit code ${exitCode}`;
}

/** The exit code in what was stored; null where there is none. An older version stored words of the device. */
export function exitCodeIn(stored: string | null): number | null {
  const [, code] = SHOWN.exec(stored ?? '') ?? [];
  return code === undefined ? null : Number(code);
}

/** The answer as evidence; null where the entry left without one. */
export function answeredText(stored: string | null): string {
  if (stored === null) return 'The command left the device’s queue without an answer that we saw.';
  const exitCode = exitCodeIn(stored);
  return exitCode === null ? 'The device answered.' : `The device answered with exit code ${exitCode}.`;
}
