import { beforeAll, beforeEach } from 'vitest';

/** Stands for whatever was taken last; before anything was, there is nothing to ask of it. */
function lastTaken<T extends object>(): { readonly last: T; readonly take: (made: T) => void } {
  let current: Partial<T> = {};
  const last = new Proxy({} as T, {
    get: (_none, name) => Reflect.get(current, name),
    set: (_none, name, value) => Reflect.set(current, name, value),
  });
  return {
    last,
    take: (made) => {
      current = made;
    },
  };
}

/** What `start` gives runs as long as the tests of this file or group. */
export function useStarted<T extends { readonly stop: () => Promise<unknown> }>(start: () => Promise<T>): T {
  const { last, take } = lastTaken<T>();
  beforeAll(async () => {
    const started = await start();
    take(started);
    return () => started.stop();
  });
  return last;
}

/** The same, reset before every test. */
export function useReset<T extends { readonly reset: () => unknown; readonly stop: () => Promise<unknown> }>(
  start: () => Promise<T>,
): T {
  const started = useStarted(start);
  beforeEach(async () => {
    await started.reset();
  });
  return started;
}

/** What `create` gives, made anew for every test. */
export function madePerTest<T extends object>(create: () => T | Promise<T>): T {
  const { last, take } = lastTaken<T>();
  beforeEach(async () => take(await create()));
  return last;
}
