/** The sandbox's clock as last read, advanced by elapsed time; the machine's time of day is never read. */

export function createSandboxClock() {
  let read = 0;
  let readAt = 0;
  return {
    /** Milliseconds since 1970. */
    set(ms: number) {
      read = ms;
      readAt = performance.now();
    },
    now: () => read + (performance.now() - readAt),
  };
}
