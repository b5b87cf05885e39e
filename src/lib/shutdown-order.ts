/** The order in which the parts of the product end. */

/**
 * In this order, each after the one before it:
 * - `intake`: nothing new is taken from Slack;
 * - `answers`: questions under way are answered, or their askers are told to ask again;
 * - `work`, beside it: what runs ends by itself, a command to the service with its answer;
 * - `reads`: reading the service ends, so that nothing waits for it;
 * - `cards`: what this changed is shown;
 * - `close`: connections and the database, the last opened first.
 */
export type ShutdownStage = 'intake' | 'answers' | 'work' | 'reads' | 'cards' | 'close';
export type StopPart = () => Promise<void>;

export type ShutdownOrder = {
  /** Takes what ends a part that was just begun. Once the stop has begun it ends at once, and {@link StartAborted} is thrown. */
  readonly add: (stage: ShutdownStage, end: StopPart) => Promise<void>;
  /** Ends everything that was added; what fails does not keep the rest from ending, and is thrown afterwards. */
  readonly stop: () => Promise<void>;
  /** Aborted when the stop begins. */
  readonly signal: AbortSignal;
};

/** A start that was overtaken by its stop. */
export class StartAborted extends Error {
  constructor() {
    super('stopped while starting');
    this.name = 'Stopped';
  }
}

export function createShutdownOrder(): ShutdownOrder {
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
    async add(stage, one) {
      if (stopping !== null) {
        await stopping.catch(() => undefined);
        await one();
        throw new StartAborted();
      }
      parts[stage].push(one);
    },
    stop() {
      stopping ??= run();
      return stopping;
    },
    signal: shutdown.signal,
  };
}
