/** The messages between the bench and the processes of a workspace and of its baseline, for both ends. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export type Started = {
  /** From the call that starts it until it listens, without its imports. */
  readonly listeningMs: number;
  /** Ends in `/api/`. */
  readonly apiUrl: string;
  readonly appToken: string;
};
export type BenchRequest = {
  /** How many to send. */
  readonly commands: number;
  /** What one looks like; a workspace makes its own. */
  readonly envelope: object;
};

/** This many commands wait for their acknowledgement at the same time. */
const IN_FLIGHT = 20;

/** Reports the start, and performs requests: the answer is the time in milliseconds. */
export function serveRequests(started: Started, perform: (order: BenchRequest) => Promise<void>): void {
  process.on('message', async (order: BenchRequest) => {
    const begun = performance.now();
    await perform(order);
    process.send?.(performance.now() - begun);
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.(started);
}

/** Does the same `count` times, some at once. */
export async function inParallel(count: number, task: () => Promise<void>): Promise<void> {
  let left = count;
  const work = async () => {
    while (left > 0) {
      left -= 1;
      await task();
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
}

export type SlackProcessHandle = Started & {
  readonly pid: number;
  /** Milliseconds it took. */
  readonly perform: (order: BenchRequest) => Promise<number>;
  readonly stop: () => Promise<void>;
};

const FILES = { ours: 'workspace-process.ts', bare: 'baseline-server.ts' } as const;

/** Starts one of the two as a separate process. */
export async function startSlackProcess(kind: keyof typeof FILES): Promise<SlackProcessHandle> {
  const child = fork(fileURLToPath(new URL(FILES[kind], import.meta.url)));
  const [started] = await once(child, 'message');
  return {
    ...started,
    pid: child.pid ?? 0,
    async perform(order) {
      const done = once(child, 'message');
      child.send(order);
      const [ms] = await done;
      return ms;
    },
    stop: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
}
