/** What is stored and shown of a device's answer to a command: its exit code. Its output may hold secrets. Pure. */
import type { QueueResponse } from './model.ts';

const STORED = /^exit code (-?\d{1,10})$/;

/** The text that is stored; empty where the answer states no exit code. */
export function storedAnswer(response: QueueResponse | null): string {
  const exitCode = response?.exitCode ?? null;
  return exitCode === null ? '' : `exit code ${exitCode}`;
}

/** The exit code in a stored text; null where there is none. An older version stored words of the device. */
export function storedExitCode(stored: string | null): number | null {
  const [, code] = STORED.exec(stored ?? '') ?? [];
  return code === undefined ? null : Number(code);
}
