/** The product as a child process of the sandbox: it can be started, stopped and killed, like the real one. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Clock, SECOND } from '../../lib/clock.ts';
import { offsetOf } from '../clock-sync.ts';
import type { ProductProcess } from '../contracts/services.ts';
import { fromProductSchema, type ToProduct } from './ipc-messages.ts';

const ENTRY = fileURLToPath(new URL('run-product.ts', import.meta.url));
/** What a supervisor should allow, as the README says: longer than a stop may take. */
const STOP_WAIT_MS = 30 * SECOND;
/** Wall time for a start before it is reported as not ready (a fault may delay it for ever). */
const READY_WAIT_MS = 60 * SECOND;
/** Last lines in the error when it ends before it is ready. */
const ERROR_LINES = 15;
/**
 * Variables that any process needs, and Node's compile cache, which makes the next start faster; none of the machine's
 * product settings is inherited.
 */
const INHERITED_VARIABLES = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TEMP',
  'TMP',
  'TZ',
  'LANG',
  'SystemRoot',
  'NODE_COMPILE_CACHE',
];

export type ProductProcessOptions = {
  /** The file to fork; the kill tests pass their own. */
  readonly entry?: string;
  /** The product's environment variables. */
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Pick<Clock, 'now'>;
  /** Wall time after which a product that ignores SIGTERM is killed. */
  readonly stopWaitMs?: number;
  /** Wall time after which a start is reported as not ready. */
  readonly readyWaitMs?: number;
  /** Receives each line that the product writes. */
  readonly onLine?: (line: string) => void;
  /** Called when the process has ended; `wanted` by `stop` or `kill`, or by its own exit. */
  readonly onExit?: (exit: { readonly how: string; readonly wanted: boolean }) => void;
};

type RunningProcess = {
  readonly child: ChildProcess;
  /** Waits separately for each caller: a start that was too slow for one may be ready for the next. */
  readonly ready: () => Promise<void>;
  readonly ended: Promise<void>;
  readonly catchUp: () => Promise<void>;
  ending: boolean;
  paused: boolean;
  /** Resolves when it is paused the next time. */
  pausedFor: PromiseWithResolvers<void>;
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
      void run.catchUp();
    },
    running: () => run !== undefined,
    paused: () => run?.paused ?? false,
    async waitForClock() {
      if (!run || run.paused) return;
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

function launch(
  { entry = ENTRY, env, clock, onLine, readyWaitMs = READY_WAIT_MS }: ProductProcessOptions,
  skewMs: number,
  onEnded: (how: string) => void,
): RunningProcess {
  const child = fork(entry, [], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { ...inheritedEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const lines = collectLines(child, onLine);
  const ended = once(child, 'close').then(([code, signal]) => {
    onEnded(signal === null ? `exit code ${code}` : `signal ${signal}`);
  });
  const send = (message: ToProduct): void => {
    // A child that is gone receives nothing; 'close' reports its end.
    if (child.connected) child.send(message, () => undefined);
  };
  send({ type: 'clock', offsetMs: offsetOf(clock), skewMs });
  return {
    child,
    ended,
    ending: false,
    paused: false,
    pausedFor: Promise.withResolvers(),
    ready: createReady(child, ended, lines, readyWaitMs),
    catchUp: createCatchUp(child, ended, send, clock),
  };
}

function createReady(
  child: ChildProcess,
  ended: Promise<void>,
  lines: readonly string[],
  waitMs: number,
): () => Promise<void> {
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  child.on('message', (message) => {
    if (fromProductSchema.parse(message).type === 'ready') resolve();
  });
  child.on('error', reject);
  const failure = (what: string) => new Error([`The bot ${what}:`, ...lines].join('\n'));
  void ended.then(() => reject(failure('exited before it was ready')));
  // Nobody may be waiting when it ends.
  ready.catch(() => undefined);
  return async () => {
    const { promise: tooLong, reject: giveUp } = Promise.withResolvers<never>();
    const timer = setTimeout(() => giveUp(failure('is still not ready')), waitMs);
    try {
      await Promise.race([ready, tooLong]);
    } finally {
      clearTimeout(timer);
    }
  };
}

function createCatchUp(
  child: ChildProcess,
  ended: Promise<void>,
  send: (message: ToProduct) => void,
  clock: Pick<Clock, 'now'>,
): () => Promise<void> {
  const waiting = new Map<number, () => void>();
  let ids = 0;
  child.on('message', (message) => {
    const answer = fromProductSchema.parse(message);
    if (answer.type === 'advanced') waiting.get(answer.id)?.();
  });
  return async () => {
    const id = ids++;
    const advanced = new Promise<void>((resolve) => waiting.set(id, resolve));
    send({ type: 'advance', id, offsetMs: offsetOf(clock) });
    await Promise.race([advanced, ended]);
    waiting.delete(id);
  };
}

function collectLines(child: ChildProcess, onLine?: (line: string) => void): readonly string[] {
  const last: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      last.push(line);
      if (last.length > ERROR_LINES) last.shift();
      onLine?.(line);
    });
  }
  return last;
}

function inheritedEnvironment(): Record<string, string> {
  const found = INHERITED_VARIABLES.map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(found.filter((pair): pair is [string, string] => pair[1] !== undefined));
}
