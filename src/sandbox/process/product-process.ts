/** The product as a child process of the sandbox: it can be started, stopped and killed, like the real one. */

import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Clock, SECOND } from '../../lib/clock.ts';
import { offsetOf, within } from '../clock-sync.ts';
import { fromProductSchema, type ToProduct } from './ipc-messages.ts';

/** What a supervisor should allow, as the README says: longer than a stop may take. */
const STOP_WAIT_MS = 30 * SECOND;
export type ProductProcessOptions = {
  /** The file to fork; the kill tests pass their own. */
  readonly entry?: string;
  /** The product's environment variables. */
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Pick<Clock, 'now'>;
  /** Wall time after which a start is reported as not ready. */
  readonly readyWaitMs?: number;
  /** Wall time after which a product that ignores SIGTERM is killed. */
  readonly stopWaitMs?: number;
  /** Receives each line that the product writes. */
  readonly onLine?: (line: string) => void;
  /** Called when the process has ended; `wanted` by `stop` or `kill`, or by its own exit. */
  readonly onExit?: (exit: { readonly how: string; readonly wanted: boolean }) => void;
};

export type ProductProcess = ReturnType<typeof createProductProcess>;

/** A product that does not run yet. */
export function createProductProcess(options: ProductProcessOptions) {
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
    /**
     * Resolves when the product is ready; rejects with its last lines if it ended before. Does nothing while it runs.
     * `skewMs`: offset of the wall clock that the process sees from this machine's.
     */
    async start(skewMs = 0): Promise<void> {
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
    /** Sends SIGTERM, and SIGKILL if the process does not end; a paused process is resumed first. */
    stop: (): Promise<void> => end('SIGTERM'),
    /**
     * Stops the product but keeps its process and loaded modules for the next `start`, which then is faster. False: it
     * can't, and has to be stopped.
     */
    async rest(): Promise<boolean> {
      const now = run;
      if (!now?.rests || now.ending || now.paused) return false;
      now.resting = await now.rest();
      return now.resting;
    },
    kill: (): Promise<void> => end('SIGKILL'),
    /** The process stops with its connections open until it is resumed or killed. */
    pause(): void {
      if (!run || run.ending || run.paused) return;
      run.child.kill('SIGSTOP');
      run.paused = true;
      run.pausedFor.resolve();
    },
    /** Sends SIGHUP. */
    hangup(): void {
      run?.child.kill('SIGHUP');
    },
    /** Then its clock is set to the sandbox's. */
    resume(): void {
      if (!run?.paused) return;
      continueProcess(run);
      run.woken();
    },
    /** A resting process counts as running. */
    running: (): boolean => run !== undefined,
    paused: (): boolean => run?.paused ?? false,
    /**
     * Moves its clock to the sandbox's; resolves when what was due there is done, or when it has ended. Does not wait
     * for a paused or resting process.
     */
    async waitForClock(): Promise<void> {
      if (!run || run.paused || run.resting) return;
      await Promise.race([run.catchUp(), run.pausedFor.promise]);
    },
    /**
     * Lets it read its configuration file; resolves with the faults for which it refused the file. None for a process
     * that reads the file later: one that is paused or resting, does not run, or ends meanwhile.
     */
    async reload(): Promise<readonly string[]> {
      const now = run;
      if (!now || now.paused || now.resting) return [];
      // One that starts has read the file already, maybe before it was written.
      const answer = now.ready().then(now.reload, () => []);
      return Promise.race([answer, now.pausedFor.promise.then(() => [])]);
    },
  };
}

function continueProcess(run: RunningProcess): void {
  if (!run.paused) return;
  run.child.kill('SIGCONT');
  run.paused = false;
  run.pausedFor = Promise.withResolvers();
}

const ENTRY = fileURLToPath(new URL('start-product.ts', import.meta.url));
/** Wall time for a start before it is reported as not ready (a fault may delay it for ever). */
const READY_WAIT_MS = 60 * SECOND;
/** Wall time for a stop inside the process before it is stopped from outside. */
const REST_WAIT_MS = 5 * SECOND;
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

type ChildEvents = {
  ready: [rests: boolean];
  resting: [];
  answered: [id: number, faults: readonly string[]];
  stopping: [];
};

type RunningProcess = {
  readonly child: ChildProcess;
  /** Waits separately for each caller: a start that was too slow for one may be ready for the next. */
  ready: () => Promise<void>;
  readonly ended: Promise<void>;
  readonly catchUp: () => Promise<unknown>;
  readonly reload: () => Promise<readonly string[]>;
  /** Starts the product after a rest. */
  readonly wake: () => void;
  /** Moves its clock after it was stopped, as the clock of a machine that slept. */
  readonly woken: () => void;
  /** Stops the product inside the process; false when it can't, or not in time. */
  readonly rest: () => Promise<boolean>;
  /** Offset of its wall clock. */
  readonly skewMs: number;
  ending: boolean;
  /** It said that it can rest. */
  rests: boolean;
  resting: boolean;
  paused: boolean;
  /** Resolves when it is paused the next time. */
  pausedFor: PromiseWithResolvers<void>;
};

/** A new process, which starts at once; `onEnded` is called when it has ended. */
function launch(
  { entry = ENTRY, env, clock, onLine, readyWaitMs = READY_WAIT_MS }: ProductProcessOptions,
  skewMs: number,
  onEnded: (how: string) => void,
): RunningProcess {
  const child = fork(bundled(entry), [], {
    // As the image starts it; the flag against warnings is for the sources, whose types are stripped.
    execArgv: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=4'],
    env: { ...inheritedEnvironment(), MALLOC_ARENA_MAX: '2', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const lines = collectLines(child, onLine);
  const ended = once(child, 'close').then(([code, signal]) => {
    onEnded(signal === null ? `exit code ${code}` : `signal ${signal}`);
  });
  const messages = readMessages(child);
  const send = (message: ToProduct): void => {
    // A child that is gone receives nothing; 'close' reports its end.
    if (child.connected) child.send(message, () => undefined);
  };
  const sendClock = () => send({ type: 'clock', offsetMs: offsetOf(clock), skewMs });
  const { promise: broken, reject } = Promise.withResolvers<never>();
  child.on('error', reject);
  const ask = createAsk(messages, ended, send);
  const awaitReady = () => createReady(messages, [broken, ended], lines, readyWaitMs);
  messages.on('ready', (rests) => {
    run.rests = rests;
  });
  messages.on('stopping', () => {
    run.paused = true;
    run.pausedFor.resolve();
  });
  const run: RunningProcess = {
    ...{ child, ended, skewMs, ending: false, paused: false, rests: false, resting: false },
    pausedFor: Promise.withResolvers(),
    ready: awaitReady(),
    catchUp: () => ask((id) => ({ type: 'advance', id, offsetMs: offsetOf(clock) })),
    reload: () => ask((id) => ({ type: 'reload', id })),
    woken: () => send({ type: 'woken', offsetMs: offsetOf(clock) }),
    wake() {
      run.resting = false;
      run.ready = awaitReady();
      sendClock();
    },
    async rest() {
      const resting = once(messages, 'resting').then(() => true);
      send({ type: 'rest' });
      return within(REST_WAIT_MS, [resting, ended.then(() => false)], () => false);
    },
  };
  sendClock();
  return run;
}

/** The same entry in the bundle that `PATCHBAY_BUNDLE` names, which starts in half the time. */
function bundled(entry: string): string {
  const file = join(process.env['PATCHBAY_BUNDLE'] ?? '', `${basename(entry, '.ts')}.js`);
  return process.env['PATCHBAY_BUNDLE'] !== undefined && existsSync(file) ? file : entry;
}

function readMessages(child: ChildProcess): EventEmitter<ChildEvents> {
  const messages = new EventEmitter<ChildEvents>();
  child.on('message', (message) => {
    const read = fromProductSchema.parse(message);
    switch (read.type) {
      case 'ready':
        return messages.emit('ready', read.rests);
      case 'resting':
        return messages.emit('resting');
      case 'advanced':
        return messages.emit('answered', read.id, []);
      case 'reloaded':
        return messages.emit('answered', read.id, read.faults);
      case 'stopping':
        return messages.emit('stopping');
    }
  });
  return messages;
}

function createReady(
  messages: EventEmitter<ChildEvents>,
  over: readonly Promise<void>[],
  lines: readonly string[],
  waitMs: number,
): () => Promise<void> {
  const failure = (what: string) => new Error([`The bot ${what}:`, ...lines].join('\n'));
  const ready = Promise.race([
    once(messages, 'ready'),
    Promise.race(over).then(() => Promise.reject(failure('exited before it was ready'))),
  ]);
  // Nobody may be waiting when it ends.
  ready.catch(() => undefined);
  return async () => {
    await within(waitMs, [ready], () => {
      throw failure('is still not ready');
    });
  };
}

/** Sends what is answered with its id; resolves with the faults in the answer, or with none once the process has ended. */
function createAsk(
  messages: EventEmitter<ChildEvents>,
  ended: Promise<void>,
  send: (message: ToProduct) => void,
) {
  const waiting = new Map<number, (faults: readonly string[]) => void>();
  let ids = 0;
  messages.on('answered', (id, faults) => waiting.get(id)?.(faults));
  return async (requestWith: (id: number) => ToProduct): Promise<readonly string[]> => {
    const id = ids++;
    const { promise: answered, resolve } = Promise.withResolvers<readonly string[]>();
    waiting.set(id, resolve);
    send(requestWith(id));
    const faults = await Promise.race([answered, ended.then(() => [])]);
    waiting.delete(id);
    return faults;
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

const MAX_LINES = 40;
/** Longer lines are cut, because people read them. */
const MAX_LINE_LENGTH = 500;

export type ProcessHealth = {
  /** Oldest first. */
  readonly lines: readonly { readonly at: number; readonly text: string }[];
  readonly lastExit: { readonly at: number; readonly how: string; readonly wanted: boolean } | null;
};
type ProcessHealthLog = {
  readonly read: () => ProcessHealth;
  readonly line: (text: string) => void;
  readonly exit: (exit: { readonly how: string; readonly wanted: boolean }) => void;
};

/** An empty log. */
export function createProcessHealthLog(clock: Pick<Clock, 'now'>): ProcessHealthLog {
  let lines: ProcessHealth['lines'] = [];
  let lastExit: ProcessHealth['lastExit'] = null;
  return {
    read: () => ({ lines, lastExit }),
    line(text) {
      lines = [...lines, { at: clock.now(), text: text.slice(0, MAX_LINE_LENGTH) }].slice(-MAX_LINES);
    },
    exit({ how, wanted }) {
      lastExit = { at: clock.now(), how, wanted };
    },
  };
}
