/** The product's processes: usually one, several to test how replicas share one database. */
import type { ProductProcess } from '../contracts/services.ts';

/** Selects the newest `count` processes, or the one with this index; without options, all. */
export type ReplicaSelection = { readonly count?: number; readonly index?: number };
export type ReplicaStartOptions = ReplicaSelection & {
  /** Offset of the wall clock that newly started processes see. */
  readonly skewMs?: number;
};

export type ProductReplicas = {
  /** Starts processes until `count` run (default 1), or the one with this index, and waits until all are ready. */
  readonly start: (wanted?: ReplicaStartOptions) => Promise<void>;
  /** Ends the selected processes with SIGTERM. */
  readonly stop: (chosen?: ReplicaSelection) => Promise<void>;
  /** Stops all; the first one rests, if it can, so that the next start is faster. */
  readonly rest: () => Promise<void>;
  /** Ends the selected processes with SIGKILL. */
  readonly kill: (chosen?: ReplicaSelection) => Promise<void>;
  /** Suspends the selected processes with SIGSTOP. */
  readonly pause: (chosen?: ReplicaSelection) => Promise<void>;
  /** Resumes the selected processes with SIGCONT. */
  readonly resume: (chosen?: ReplicaSelection) => Promise<void>;
  /** Indexes of the running processes; paused ones count as running. */
  readonly running: () => readonly number[];
  readonly paused: () => readonly number[];
  /** Moves every running process to the sandbox's time. */
  readonly catchUp: () => Promise<void>;
};

/**
 * Makes processes on demand: `make(place)` creates the one with this index and its own settings. `onStart` is called
 * when processes have started, before they are ready.
 */
export function createProductReplicas(
  make: (place: number) => Promise<ProductProcess>,
  onStart: () => void = () => undefined,
): ProductReplicas {
  const bots: ProductProcess[] = [];
  const placesOf = (is: (bot: ProductProcess) => boolean) =>
    bots.flatMap((bot, place) => (is(bot) ? [place] : []));
  const at = async (place: number): Promise<ProductProcess> => {
    for (let next = bots.length; next <= place; next += 1) bots.push(await make(next));
    const bot = bots[place];
    if (!bot) throw new RangeError(`no place ${place}`);
    return bot;
  };
  const idle = (): Promise<ProductProcess> => {
    const free = bots.findIndex((bot) => !bot.running());
    return at(free === -1 ? bots.length : free);
  };
  const toEach =
    (how: 'stop' | 'kill' | 'pause' | 'resume', suits: (bot: ProductProcess) => boolean) =>
    async ({ count, index }: ReplicaSelection = {}): Promise<void> => {
      const fit = bots.filter((bot, place) => suits(bot) && (index === undefined || place === index));
      await Promise.all(
        fit
          .toReversed()
          .slice(0, count)
          .map((bot) => bot[how]()),
      );
    };
  const runs = (bot: ProductProcess) => bot.running();
  return {
    async start({ count = 1, index, skewMs } = {}) {
      const starting = index === undefined ? bots.filter(runs).map((bot) => bot.start()) : [];
      if (index !== undefined) starting.push((await at(index)).start(skewMs));
      while (index === undefined && starting.length < count) {
        const bot = await idle();
        starting.push(bot.start(skewMs));
      }
      onStart();
      await Promise.all(starting);
    },
    stop: toEach('stop', runs),
    async rest() {
      const [first, ...others] = bots;
      const isResting = first?.rest() ?? Promise.resolve(false);
      await Promise.all([...others.map((bot) => bot.stop()), isResting]);
      if (!(await isResting)) await first?.stop();
    },
    kill: toEach('kill', runs),
    pause: toEach('pause', (bot) => bot.running() && !bot.paused()),
    resume: toEach('resume', (bot) => bot.paused()),
    running: () => placesOf(runs),
    paused: () => placesOf((bot) => bot.paused()),
    catchUp: async () => {
      await Promise.all(bots.map((bot) => bot.waitForClock()));
    },
  };
}
