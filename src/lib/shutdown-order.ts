/** The order in which the parts of the product stop. */

/**
 * The stages of a shutdown, each after the one before it:
 * - `intake`: nothing new is accepted from Slack;
 * - `answers`: running commands are answered, or their requesters are asked to try again;
 * - `work`, at the same time: running work finishes, and a command to the service gets its answer;
 * - `reads`: reads of the service end, so that nothing waits for them;
 * - `cards`: cards show what this changed;
 * - `close`: connections and the database are closed, the last opened first.
 */
export type ShutdownStage = 'intake' | 'answers' | 'work' | 'reads' | 'cards' | 'close';
export type StopPart = () => Promise<void>;

export type ShutdownOrder = Readonly<ReturnType<typeof createShutdownOrder>>;

/** Thrown by a start that was overtaken by its shutdown. */
export class StartAborted extends Error {
  constructor() {
    super('stopped while starting');
    this.name = 'Stopped';
  }
}

/** An order without any parts yet. */
export function createShutdownOrder() {
  const parts: Record<ShutdownStage, StopPart[]> = {
    intake: [],
    answers: [],
    reads: [],
    work: [],
    cards: [],
    close: [],
  };
  const shutdown = new AbortController();
  const failures: unknown[] = [];
  let stopping: Promise<void> | null = null;

  const stopOne = (one: StopPart): Promise<void> =>
    one().catch((error: unknown) => void failures.push(error));
  const together = async (stage: ShutdownStage): Promise<void> => {
    await Promise.all(parts[stage].map(stopOne));
  };
  const run = async (): Promise<void> => {
    shutdown.abort();
    await together('intake');
    const work = together('work');
    await together('answers');
    await work;
    await together('reads');
    await together('cards');
    for (const one of parts.close.toReversed()) await stopOne(one);
    const [failure] = failures;
    if (failure !== undefined) throw failure;
  };
  return {
    /**
     * Registers how to stop a part that just started. During a shutdown the part is stopped at once, and {@link
     * StartAborted} is thrown.
     */
    async add(stage: ShutdownStage, one: StopPart): Promise<void> {
      if (stopping !== null) {
        await stopping.catch(() => undefined);
        await one();
        throw new StartAborted();
      }
      parts[stage].push(one);
    },
    /** Stops everything that was registered. A failure does not keep the rest from stopping, and is thrown afterwards. */
    stop(): Promise<void> {
      stopping ??= run();
      return stopping;
    },
    /** Aborted when the stop begins. */
    signal: shutdown.signal,
  };
}
