/** The product as a child process of the sandbox: it can be started, stopped and killed, like the real one. */
import { SECOND } from '../../lib/clock.ts';
import type { ProductProcess } from '../contracts/services.ts';
import { type LaunchOptions, launch, type RunningProcess } from './launch-product.ts';

/** What a supervisor should allow, as the README says: longer than a stop may take. */
const STOP_WAIT_MS = 30 * SECOND;
export type ProductProcessOptions = LaunchOptions & {
  /** Wall time after which a product that ignores SIGTERM is killed. */
  readonly stopWaitMs?: number;
  /** Called when the process has ended; `wanted` by `stop` or `kill`, or by its own exit. */
  readonly onExit?: (exit: { readonly how: string; readonly wanted: boolean }) => void;
};

/** A product that does not run yet. */
export function createProductProcess(options: ProductProcessOptions): ProductProcess {
  let run: RunningProcess | undefined;
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    if (!run) return;
    const { child, ended } = run;
    // A second SIGTERM would cut the stop short.
    if (signal === 'SIGKILL' || !run.ending) child.kill(signal);
    run.ending = true;
    continueProcess(run);
    const insist = setTimeout(() => child.kill('SIGKILL'), options.stopWaitMs ?? STOP_WAIT_MS);
    await ended;
    clearTimeout(insist);
  };
  return {
    async start(skewMs = 0) {
      while (run?.ending) await run.ended;
      if (run?.resting && skewMs !== run.skewMs) await end('SIGTERM');
      if (run?.resting) run.wake();
      if (!run) {
        run = launch(options, skewMs, (how) => {
          const isEnding = run?.ending ?? false;
          run = undefined;
          options.onExit?.({ how, wanted: isEnding });
        });
      }
      await run.ready();
    },
    stop: () => end('SIGTERM'),
    async rest() {
      const now = run;
      if (!now?.rests || now.ending || now.paused) return false;
      now.resting = await now.rest();
      return now.resting;
    },
    kill: () => end('SIGKILL'),
    pause() {
      if (!run || run.ending || run.paused) return;
      run.child.kill('SIGSTOP');
      run.paused = true;
      run.pausedFor.resolve();
    },
    resume() {
      if (!run?.paused) return;
      continueProcess(run);
      run.woken();
    },
    running: () => run !== undefined,
    paused: () => run?.paused ?? false,
    async waitForClock() {
      if (!run || run.paused || run.resting) return;
      await Promise.race([run.catchUp(), run.pausedFor.promise]);
    },
  };
}

function continueProcess(run: RunningProcess): void {
  if (!run.paused) return;
  run.child.kill('SIGCONT');
  run.paused = false;
  run.pausedFor = Promise.withResolvers();
}
