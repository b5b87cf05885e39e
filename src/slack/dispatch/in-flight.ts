/** Counts questions in flight, so that a shutdown can wait for them, and gives up those that take too long. */
import { SECOND } from '../../lib/clock.ts';
import type { View } from '../../views/model.ts';
import type { Dispatch } from './dispatch-port.ts';

export type RestartingView = Extract<View, { readonly kind: 'problem' }>;
export const RESTARTING: RestartingView = { kind: 'problem', problem: { kind: 'restarting' } };

export type InFlight = Readonly<ReturnType<typeof createInFlight>>;

export type InFlightOptions = {
  /** How long a shutdown waits for answers (8 s): most take under one. Wall time, as a supervisor counts it. */
  readonly answersMs?: number;
  /** How long it waits until everybody was asked to try again (5 s): one or two calls to Slack. */
  readonly notifyMs?: number;
};

export function createInFlight({ answersMs = 8 * SECOND, notifyMs = 5 * SECOND }: InFlightOptions = {}) {
  let count = 0;
  let onIdle = (): void => undefined;
  let over = false;
  const pendingWaits = new Set<() => void>();

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
    /** The same listener, counted until it has ended. */
    track:
      <A extends readonly unknown[]>(listener: (...args: A) => Promise<void>) =>
      async (...args: A): Promise<void> => {
        count += 1;
        try {
          await listener(...args);
        } finally {
          count -= 1;
          if (count === 0) onIdle();
        }
      },
    /** The result of `work`, or the request to ask again once the shutdown stops waiting; then no new work starts. */
    async untilRestart<T>(work: () => Promise<T>): Promise<T | RestartingView> {
      if (over) return RESTARTING;
      const { promise, resolve } = Promise.withResolvers<RestartingView>();
      const giveUp = () => resolve(RESTARTING);
      pendingWaits.add(giveUp);
      try {
        return await Promise.race([work(), promise]);
      } finally {
        pendingWaits.delete(giveUp);
      }
    },
    /** Waits until nothing is in flight; people who still wait then are asked to try again. Bounded. */
    async drain(): Promise<void> {
      if (await idle(answersMs)) return;
      over = true;
      for (const giveUp of pendingWaits) giveUp();
      await idle(notifyMs);
    },
  };
}

/** The same dispatch for people who wait; stored presses and forms are answered after the restart. */
export function interruptible(
  dispatch: Dispatch,
  { untilRestart }: Pick<InFlight, 'untilRestart'>,
): Dispatch {
  return {
    ...dispatch,
    runText: (...request) => untilRestart(() => dispatch.runText(...request)),
    runCommand: (order) => untilRestart(() => dispatch.runCommand(order)),
  };
}
