/**
 * Runs `work` now, or once more after the current run, however often it is called meanwhile.
 * @param {() => Promise<void>} work
 * @returns {() => Promise<void>}
 */
export function runOnce(work) {
  /** @type {Promise<void> | null} */
  let running = null;
  /** @type {Promise<void> | null} */
  let next = null;
  const run = () => {
    running = work().finally(() => {
      running = null;
    });
    return running;
  };
  return () => {
    if (!running) return run();
    next ??= running.then(() => {
      next = null;
      return run();
    });
    return next;
  };
}
