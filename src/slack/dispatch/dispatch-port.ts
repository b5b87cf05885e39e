/** The port through which listeners run commands. */
import type { Instant } from '../../lib/clock.ts';
import type { RequestId } from '../../lib/ids.ts';
import type { ControlKind, View } from '../../views/model.ts';
import type { CommandSource } from '../replies/private-replies.ts';
import type { RequestAgainInput } from './request-again.ts';

export type DecisionAction = 'approve' | 'deny' | 'withdraw';

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
  /** Requests once more what an operation did not send. */
  readonly requestAgain: (input: RequestAgainInput) => Promise<View>;
  readonly decide: (request: DecisionRequest) => Promise<View>;
  /** Pauses, resumes, continues or stops a rollout. */
  readonly control: (request: ControlRequest) => Promise<View>;
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
  readonly control: ControlKind;
  /** What the card said held the rollout, by its time; absent: not known. */
  readonly hold?: Instant | undefined;
  readonly caller: CommandSource;
  /** When the person pressed; absent: just now. */
  readonly askedAt?: Instant | undefined;
};

export type DecisionRequest = {
  readonly requestId: RequestId;
  readonly seal: string;
  readonly decision: DecisionAction;
  /** The number of devices that the person typed. */
  readonly devices?: number | undefined;
  readonly caller: CommandSource;
};
