/** Questions under way: counted, so that a stop can wait for them, and given up where it cannot wait any longer. */
import { SECOND } from '../clock.ts';
import type { View } from '../views/model.ts';
import type { Dispatch } from './dispatch.ts';

export type Restarting = Extract<View, { readonly kind: 'problem' }>;
export const RESTARTING: Restarting = { kind: 'problem', problem: { kind: 'restarting' } };

export type InFlight = {
  /** The same listener, counted until it has ended. */
  readonly during: <A extends readonly unknown[]>(
    listener: (...args: A) => Promise<void>,
  ) => (...args: A) => Promise<void>;
  /** What `work` resolves to or, once nobody waits for it any more, that the person should ask again; then none is begun. */
  readonly orRestarting: <T>(work: () => Promise<T>) => Promise<T | Restarting>;
  /** Waits until nothing is under way; after a while whoever still waits is told to ask again. Bounded. */
  readonly drain: () => Promise<void>;
};

export type InFlightOptions = {
  /** How long a stop waits for answers (8 s): most take under one. Wall time, as a supervisor counts it. */
  readonly answersMs?: number;
  /** How long it waits until everybody was told to ask again (5 s): one or two calls to Slack. */
  readonly tellingMs?: number;
};

export function createInFlight({
  answersMs = 8 * SECOND,
  tellingMs = 5 * SECOND,
}: InFlightOptions = {}): InFlight {
  let count = 0;
  let onIdle = (): void => undefined;
  let over = false;
  /** What gives up each of the waits. */
  const waits = new Set<() => void>();

  const idle = async (ms: number): Promise<boolean> => {
    if (count === 0) return true;
    const { promise, resolve } = Promise.withResolvers<void>();
    onIdle = resolve;
    const timer = setTimeout(resolve, ms);
    await promise;
    clearTimeout(timer);
    return count === 0;
  };

  return {
    during:
      (listener) =>
      async (...args) => {
        count += 1;
        try {
          await listener(...args);
        } finally {
          count -= 1;
          if (count === 0) onIdle();
        }
      },
    async orRestarting(work) {
      if (over) return RESTARTING;
      const { promise, resolve } = Promise.withResolvers<Restarting>();
      const giveUp = () => resolve(RESTARTING);
      waits.add(giveUp);
      try {
        return await Promise.race([work(), promise]);
      } finally {
        waits.delete(giveUp);
      }
    },
    async drain() {
      if (await idle(answersMs)) return;
      over = true;
      for (const giveUp of waits) giveUp();
      await idle(tellingMs);
    },
  };
}

/** The same dispatch for people who wait: what is stored has its answer after the restart. */
export function interruptible(
  dispatch: Dispatch,
  { orRestarting }: Pick<InFlight, 'orRestarting'>,
): Dispatch {
  return {
    text: (...asked) => orRestarting(() => dispatch.text(...asked)),
    command: (order) => orRestarting(() => dispatch.command(order)),
    again: dispatch.again,
    decide: dispatch.decide,
  };
}
