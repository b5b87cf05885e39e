/** Waiting for what happens elsewhere, without guessing how long it takes. */
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;
const PATIENCE_MS = 10_000;

export type UntilOptions = {
  readonly timeoutMs?: number;
  /** What is waited for, said when it does not come. */
  readonly what?: string;
};

/**
 * Asks again and again until the answer is neither false, null nor undefined, and returns it. Fails with the
 * last error, or with what was waited for, when that takes too long.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = PATIENCE_MS, what = condition.toString() }: UntilOptions = {},
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const looked = await look(condition);
    if (looked.found) return looked.value;
    if (Date.now() > deadline) {
      throw new Error(`waited ${timeoutMs} ms in vain for: ${what}`, { cause: looked.error });
    }
    await pause(LOOK_EVERY_MS);
  }
}

type Looked<T> =
  | { readonly found: true; readonly value: Exclude<T, false | null | undefined> }
  | { readonly found: false; readonly error?: unknown };

async function look<T>(condition: () => T | Promise<T>): Promise<Looked<T>> {
  try {
    const value = await condition();
    // The comparison has just excluded what the type excludes; the compiler does not narrow a type parameter so.
    if (value !== false && value !== null && value !== undefined)
      return { found: true, value: value as Exclude<T, false | null | undefined> };
    return { found: false };
  } catch (error) {
    return { found: false, error };
  }
}
