/**
 * The kinds of commands, so that the type says what each can change. A read command gets only readers; a
 * write command plans from fresh facts and changes nothing: the approval service does the rest.
 */

import type { FleetAction } from '../../fleet/model/actions.ts';
import type { Permission } from '../../lib/access.ts';
import type { Instant } from '../../lib/clock.ts';
import type { ChannelId } from '../../lib/ids.ts';
import type { RolloutPlan } from '../../rollout/plan.ts';
import type { Selection } from '../../rollout/summary.ts';
import type { TargetFacts } from '../../store/port/records.ts';
import type { HelpEntry, Problem, UsageFault, View } from '../../views/model.ts';
import type { UnrequestedTarget } from '../../views/models/request-model.ts';
import type { CommandForm } from '../forms/shared/command-form.ts';
import type { LineWords } from '../parser/tokenizer.ts';
import type { SettingsPort } from '../settings/settings-port.ts';
import type { ReadPorts } from './ports.ts';

export type { ReadPorts, RecordsReader, SharedPorts } from './ports.ts';

export type TypedInput<Input> =
  | { readonly kind: 'input'; readonly input: Input }
  | { readonly kind: 'fault'; readonly fault: UsageFault };

/** The change a write command proposes, with the facts that an approver will see. */
export type Proposal = {
  readonly command: FleetAction;
  readonly targets: readonly TargetFacts[];
  readonly reason: string | null;
  /** How it goes over many devices; absent: there is one, and no option. */
  readonly plan?: RolloutPlan;
} & Selection;

export type Planned =
  /** `leftOut`: devices that were named and that the proposal leaves out. */
  | {
      readonly kind: 'proposal';
      readonly proposal: Proposal;
      readonly leftOut?: readonly UnrequestedTarget[];
    }
  /** A picker, where the name fits several devices. */
  | { readonly kind: 'view'; readonly view: View }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** What a settings command works with: it changes what Patchbay itself remembers, and nothing behind the service. */
export type SettingPorts = ReadPorts & {
  readonly refusal: (need: Permission) => Promise<Problem | null>;
  readonly settings: SettingsPort;
  /** The channel of the command. */
  readonly channel: ChannelId;
  /** When the person sent the command; absent: just now. */
  readonly askedAt?: Instant;
};

/** `filters`: only those without words to search for. */
export type SavedTargetUse = 'words' | 'filters';

/** `Input` has gone through the command's own schema; the registry keeps each type together with its functions. */
type AnyCommand<Kind, Input> = HelpEntry & {
  readonly kind: Kind;
  readonly form?: CommandForm;
  readonly parse: (words: LineWords) => TypedInput<Input>;
};

export type ReadCommand<Input = unknown> = AnyCommand<'read', Input> & {
  /** Open to everybody, also without a role: help. */
  readonly open: boolean;
  /** The permission that its reader needs. */
  readonly permission: Permission;
  /** Takes saved targets, as `in:NAME`: the words come with the filters in their place. */
  readonly targets?: SavedTargetUse;
  /** Runs with input from `parse` or from a button; input that does not fit the command's schema is a fault. */
  readonly run: (input: Input, page: number, ports: ReadPorts) => Promise<View>;
  /**
   * What keeps such input from an answer, because it names what is not there; null where it would be answered. Checks
   * names only.
   */
  readonly findUnknownName?: (input: Input, ports: ReadPorts) => Promise<Problem | null>;
};

/** What of a button's input the command takes, with nothing else; null where it does not fit. */
type TakesInput<Input> = { readonly inputOf: (input: unknown) => Input | null };

export type WriteCommand<Input = unknown> = AnyCommand<'write', Input> &
  TakesInput<Input> & {
    /** As of a {@link ReadCommand}. */
    readonly targets?: SavedTargetUse;
    readonly plan: (input: Input, ports: ReadPorts) => Promise<Planned>;
  };

export type SettingCommand<Input = unknown> = AnyCommand<'setting', Input> &
  TakesInput<Input> & {
    /** The permission that its caller needs. */
    readonly permission: Permission;
    readonly run: (input: Input, page: number, ports: SettingPorts) => Promise<View>;
    /** Input that one press on a button runs, because it only shows, stops or notes something; absent: none. */
    readonly byOnePress?: (input: Input) => boolean;
  };

export type Command = ReadCommand | WriteCommand | SettingCommand;
