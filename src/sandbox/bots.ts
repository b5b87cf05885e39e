/** The product's processes: one as a rule, several to try how replicas share one database. */
import type { Bot } from './contracts.ts';

export type Bots = {
  /** Starts processes until this many run (1 unless told), and waits until all of them are ready. */
  readonly start: (count?: number) => Promise<void>;
  /** Ends this many of the running ones by SIGTERM, the newest first; all unless told. */
  readonly stop: (count?: number) => Promise<void>;
  /** The same by SIGKILL. */
  readonly kill: (count?: number) => Promise<void>;
  /** Which of the places `0, 1, …` have a running process. */
  readonly running: () => readonly number[];
  /** Brings every running process to the sandbox's time. */
  readonly catchUp: () => Promise<void>;
};

/**
 * Bots that are made where they are needed: `make(place)` gives each place its own settings. `onStart` is
 * called when processes have begun, before they are ready.
 */
export function createBots(
  make: (place: number) => Promise<Bot>,
  onStart: () => void = () => undefined,
): Bots {
  const bots: Bot[] = [];
  const running = () => bots.flatMap((bot, place) => (bot.running() ? [place] : []));
  const idle = async (): Promise<Bot> => {
    const free = bots.find((bot) => !bot.running());
    if (free) return free;
    const made = await make(bots.length);
    bots.push(made);
    return made;
  };
  const end = async (how: 'stop' | 'kill', count = Number.POSITIVE_INFINITY): Promise<void> => {
    const chosen = bots.filter((bot) => bot.running()).toReversed();
    await Promise.all(chosen.slice(0, count).map((bot) => bot[how]()));
  };
  return {
    async start(count = 1) {
      const starting = bots.filter((bot) => bot.running()).map((bot) => bot.start());
      while (starting.length < count) {
        const bot = await idle();
        starting.push(bot.start());
      }
      onStart();
      await Promise.all(starting);
    },
    stop: (count) => end('stop', count),
    kill: (count) => end('kill', count),
    running,
    catchUp: async () => {
      await Promise.all(bots.map((bot) => bot.catchUp()));
    },
  };
}
