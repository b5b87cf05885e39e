/**
 * Runs `work` now, or once more after the run under way, however often it is asked meanwhile.
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
