/** Waits for something elsewhere without guessing how long it takes. */
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;
/** Far longer than anything takes: only what never comes is to fail. Less than a test may take, so that the error names it. */
export const PATIENCE_MS = 40_000;

export type UntilOptions = {
  readonly timeoutMs?: number;
  /** Name of what is waited for, for the error. */
  readonly what?: string;
};

type Truthy<T> = Exclude<T, false | 0 | '' | null | undefined>;

/**
 * Calls repeatedly until the result is truthy and no empty list, and returns it. After too long it fails with the name
 * of what it waited for, and the last error as its cause.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = PATIENCE_MS, what = condition.toString() }: UntilOptions = {},
): Promise<Truthy<T>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const looked = await look(condition);
    // A truthy value is of this type, but the compiler does not narrow the type parameter.
    if (isThere(looked.value)) return looked.value as Truthy<T>;
    if (Date.now() > deadline) {
      throw new Error(`waited ${timeoutMs} ms in vain for: ${what}`, { cause: looked.error });
    }
    await pause(LOOK_EVERY_MS);
  }
}

/** An empty list is truthy, but nothing of what is waited for is in it. */
function isThere(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

async function look<T>(condition: () => T | Promise<T>): Promise<{ value?: T; error?: unknown }> {
  try {
    return { value: await condition() };
  } catch (error) {
    return { error };
  }
}
