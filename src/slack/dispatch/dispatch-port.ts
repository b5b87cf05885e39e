/** The port through which listeners run commands. */
import type { Instant } from '../../lib/clock.ts';
import type { RequestId } from '../../lib/ids.ts';
import type { Mark, SubmitWindowInput, WantedDecision } from '../../requests/decide/decision-windows.ts';
import type { View } from '../../views/model.ts';
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
  /** Runs a command whose input a button carried. */
  readonly runCommand: (request: CommandRequest) => Promise<View>;
  readonly withdraw: (request: Omit<ControlRequest, 'control'>) => Promise<View>;
  /** Pauses, stops or closes a rollout. */
  readonly control: (request: ControlRequest) => Promise<View>;
  /** What a window shows in which this person decides, or why none opens. */
  readonly openWindow: (request: WindowRequest | SeveralRequest) => Promise<View>;
  /** Decides it. */
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

export type ControlRequest = {
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

/** What is decided about those that were marked of several. */
export type Marks = { readonly decision: Mark['decision']; readonly requests: readonly RequestId[] };
