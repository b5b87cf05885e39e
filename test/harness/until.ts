/** Waiting for what happens elsewhere, without guessing how long it takes. */
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;
const PATIENCE_MS = 10_000;

export type UntilOptions = {
  readonly timeoutMs?: number;
  /** What is waited for, said when it does not come. */
  readonly what?: string;
};

type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>;

/**
 * Asks again and again until the answer is truthy, and returns it. When that takes too long it fails with what
 * was waited for, and with the last error as its cause.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = PATIENCE_MS, what = condition.toString() }: UntilOptions = {},
): Promise<Truthy<T>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const looked = await look(condition);
    // What is truthy is of this type; the compiler does not narrow a type parameter so far.
    if (looked.value) return looked.value as Truthy<T>;
    if (Date.now() > deadline) {
      throw new Error(`waited ${timeoutMs} ms in vain for: ${what}`, { cause: looked.error });
    }
    await pause(LOOK_EVERY_MS);
  }
}

async function look<T>(condition: () => T | Promise<T>): Promise<{ value?: T; error?: unknown }> {
  try {
    return { value: await condition() };
  } catch (error) {
    return { error };
  }
}
