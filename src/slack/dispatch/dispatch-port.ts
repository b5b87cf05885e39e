/** What the dispatch takes and gives: the port of the listeners. */
import type { Instant } from '../../lib/clock.ts';
import type { ApprovalId } from '../../lib/ids.ts';
import type { View } from '../../views/model.ts';
import type { CommandSource } from '../replies/private-replies.ts';
import type { RequestAgainInput } from './request-again.ts';

export type DecisionAction = 'approve' | 'deny' | 'withdraw';

export type Dispatch = {
  /** What somebody typed after the root command. `requestKey` makes a repeated delivery ask once. */
  readonly runText: (
    text: string,
    caller: CommandSource,
    requestKey: string,
    askedAt?: Instant,
  ) => Promise<View>;
  /** A command with input that a button carried. */
  readonly runCommand: (order: CommandRequest) => Promise<View>;
  /** What an operation did not send, requested once more. */
  readonly requestAgain: (order: RequestAgainInput) => Promise<View>;
  readonly decide: (order: DecisionRequest) => Promise<View>;
};

export type CommandRequest = {
  readonly name: string;
  readonly input: unknown;
  readonly page: number;
  readonly caller: CommandSource;
  readonly requestKey: string;
  /** All pages of a list in one. */
  readonly allPages?: true;
  /** When the person asked for it; absent: just now. */
  readonly askedAt?: Instant;
};

export type DecisionRequest = {
  readonly approvalId: ApprovalId;
  readonly seal: string;
  readonly decision: DecisionAction;
  readonly caller: CommandSource;
};
