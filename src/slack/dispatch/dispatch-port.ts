/** The port through which listeners run commands. */
import { type Instant, SECOND } from '../../lib/clock.ts';
import type { RequestId } from '../../lib/ids.ts';
import type { Mark, SubmitWindowInput, WantedDecision } from '../../requests/decide/decision-windows.ts';
import type { View } from '../../views/views.ts';
import type { CommandSource } from '../replies/private-replies.ts';

/** What one press decides. Whatever takes an approver takes a window. */
export type HaltAction = 'pause' | 'stop' | 'close';

export type Dispatch = {
  /** Runs what was typed after the slash command. `requestKey` makes a repeated delivery request once. */
  readonly runText: (
    text: string,
    caller: CommandSource,
    requestKey: string,
    askedAt?: Instant,
  ) => Promise<View>;
  readonly runCommand: (request: CommandRequest) => Promise<View>;
  readonly withdraw: (request: Omit<ControlRequest, 'control'>) => Promise<View>;
  readonly control: (request: ControlRequest) => Promise<View>;
  /** What a window shows in which this person decides, or why none opens. */
  readonly openWindow: (request: WindowRequest | SeveralRequest) => Promise<View>;
  readonly submitWindow: (submitted: SubmittedWindow) => Promise<View>;
};

export type CommandRequest = {
  readonly name: string;
  readonly input: unknown;
  readonly page: number;
  readonly caller: CommandSource;
  readonly requestKey: string;
  /** The whole list in one, instead of a page. */
  readonly allPages?: true;
  /** When the person asked; absent: just now. */
  readonly askedAt?: Instant | undefined;
};

type ControlRequest = {
  readonly requestId: RequestId;
  readonly control: HaltAction;
  readonly caller: CommandSource;
};

export type WindowRequest = {
  readonly requestId: RequestId;
  readonly wanted: WantedDecision;
  readonly caller: CommandSource;
};

/** For a window in which several are decided; a page of it. */
export type SeveralRequest = {
  readonly wanted: { readonly kind: 'several'; readonly page: number };
  readonly caller: CommandSource;
};

export type SubmittedWindow = Omit<SubmitWindowInput, 'person' | 'role' | 'mark'> & {
  readonly caller: CommandSource;
  readonly marks?: Marks | undefined;
};

export type Marks = { readonly decision: Mark['decision']; readonly requests: readonly RequestId[] };

/** Counts questions in flight, so that a shutdown can wait for them, and gives up those that take too long. */
type RestartingView = Extract<View, { readonly kind: 'problem' }>;
export const RESTARTING: RestartingView = { kind: 'problem', problem: { kind: 'restarting' } };

export type InFlight = Readonly<ReturnType<typeof createInFlight>>;

type InFlightOptions = {
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
