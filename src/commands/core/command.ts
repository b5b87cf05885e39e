/**
 * The kinds of commands, so that the type says what each can change. A read command gets only readers; a
 * write command plans from fresh facts and changes nothing: the approval service does the rest.
 */

import type { Dialect } from '../../fleet/dialect.ts';
import type { TargetFacts } from '../../fleet/facts/facts.ts';
import type { FleetReader } from '../../fleet/fleet.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import type { MissingPatchIndex } from '../../inventory/missing-patches/missing-patch-index.ts';
import { nearestNamesOrAll } from '../../inventory/nearest-names.ts';
import type { Permission, Role } from '../../lib/access.ts';
import type { Clock, Instant } from '../../lib/clock.ts';
import type { CardKey, ChannelId, OrganizationId, PersonId, RequestId } from '../../lib/ids.ts';
import type { RolloutLimits } from '../../lib/rollout-limits.ts';
import type { Proposal } from '../../requests/decide/record-request.ts';
import type { RolloutSummary, Selection } from '../../rollout/summary.ts';
import type { People } from '../../rules/quorum.ts';
import type { Judgement } from '../../rules/rules.ts';
import type {
  RequestFilter,
  RequestStore,
  RequestWithTargets,
  TargetStore,
} from '../../store/port/request-records.ts';
import type { PauseStore } from '../../store/port/settings-records.ts';
import type { AuditStore } from '../../store/port/store.ts';
import type { FieldValues, FormView } from '../../views/models/form-model.ts';
import type { HealthReport } from '../../views/models/health-model.ts';
import type { UnrequestedTarget } from '../../views/models/request-model.ts';
import type { HelpEntry, Problem, UsageFault, View } from '../../views/views.ts';
import type { ResultCaches } from '../lists/result-cache.ts';
import type { LineWords } from '../parser/tokenizer.ts';
import type { SettingsPort } from './settings-port.ts';

export type TypedInput<Input> =
  | { readonly kind: 'input'; readonly input: Input }
  | { readonly kind: 'fault'; readonly fault: UsageFault };

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
  readonly channel: ChannelId;
  /** When the person sent the command; absent: just now. */
  readonly askedAt?: Instant;
};

/** `filters`: only those without words to search for. */
type SavedTargetUse = 'words' | 'filters';

/** `Input` has gone through the command's own schema; the registry keeps each type together with its functions. */
type AnyCommand<Kind, Input> = HelpEntry & {
  readonly kind: Kind;
  readonly form?: CommandForm;
  readonly parse: (words: LineWords) => TypedInput<Input>;
};

export type ReadCommand<Input = unknown> = AnyCommand<'read', Input> & {
  /** Open to everybody, also without a role: help. */
  readonly open: boolean;
  readonly permission: Permission;
  /** Takes saved targets, as `in:NAME`: the words come with the filters in their place. */
  readonly targets?: SavedTargetUse;
  /** Runs with input from `parse` or from a button; input that does not fit the command's schema is a fault. */
  readonly run: (input: Input, page: number, ports: ReadPorts) => Promise<View>;
  /** What such input names that is not there; null where it would be answered. Checks names only. */
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
    readonly permission: Permission;
    readonly run: (input: Input, page: number, ports: SettingPorts) => Promise<View>;
    /** Input that one press on a button runs, because it only shows, stops or notes something; absent: none. */
    readonly byOnePress?: (input: Input) => boolean;
  };

export type Command = ReadCommand | WriteCommand | SettingCommand;

export type RecordsReader = {
  /** Up to `limit` (at most 500), the newest first. */
  readonly requests: (filter: RequestFilter, limit: number) => Promise<readonly RequestWithTargets[]>;
  /** The request with all of its targets; null: there is none. */
  readonly request: (id: RequestId) => Promise<RequestWithTargets | null>;
  /** The same with its first targets, as a card shows it. */
  readonly shownRequest: (id: RequestId) => Promise<RequestWithTargets | null>;
  readonly targets: TargetStore['of'];
  /** The request that this delivery already made; null: none. */
  readonly byRequestKey: (requestKey: string) => Promise<RequestWithTargets | null>;
  readonly requestedSince: RequestStore['requestedSince'];
  readonly audit: AuditStore['latest'];
  readonly pause: PauseStore['current'];
  /** The link to a card; null if it is not posted. */
  readonly cardLink: (key: CardKey) => Promise<string | null>;
};

export type SharedPorts = {
  readonly fleet: FleetReader;
  readonly inventory: Inventory;
  readonly missingPatches: Omit<MissingPatchIndex, 'start' | 'stop'>;
  readonly results: ResultCaches;
  readonly clock: Clock;
  readonly dialect: Dialect;
  readonly organizationId: OrganizationId;
  readonly records: RecordsReader;
  readonly health: () => Promise<HealthReport>;
  /** What the rules of the configuration file would ask of a request. */
  readonly judge: (asked: {
    readonly proposal: Proposal;
    readonly requester: PersonId;
  }) => Promise<Judgement>;
  readonly summarize: (
    targets: readonly TargetFacts[],
    now: Instant,
    selection?: Selection,
  ) => RolloutSummary;
  /** From this age on, in milliseconds, a change that was asked for is not asked for or sent any more. */
  readonly maxAgeMs: number;
  readonly rollouts: () => RolloutLimits;
  /** Who has which role, as the configuration file in force says. */
  readonly roles: () => Readonly<Record<Role, People>>;
};
export type ReadPorts = SharedPorts & {
  readonly asker: PersonId;
  /** Rows of a list at once, where it is not drawn but sent as a file; absent: as many as a message holds. */
  readonly pageSize?: number;
  /** Why the person may not do something; null if they may. Absent in forms, which open only for people who may. */
  readonly refusal?: (need: Permission) => Promise<Problem | null>;
  /** What is planned is only explained, and never requested. */
  readonly onlyExplains?: true;
  /** The lowest role that sees personal data, if the person may not see it; absent if they may. */
  readonly personalFrom?: Role;
};

export type Registry = {
  readonly find: (word: string) => Command | null;
  /** Names of commands close to an unknown word; of one that removes something only where that was meant. */
  readonly nearest: (word: string) => readonly string[];
  readonly all: () => readonly Command[];
  readonly help: () => readonly HelpEntry[];
};

/** `commandsOf`: some read the registry that they are in. `synonyms`: other words for commands, by name. */
export function createRegistry(
  commandsOf: (registry: Registry) => readonly Command[],
  synonyms: Readonly<Record<string, string>> = {},
): Registry {
  const byName = new Map<string, Command>();
  const find = (word: string) =>
    byName.get(word) ?? byName.get(Object.hasOwn(synonyms, word) ? (synonyms[word] ?? '') : '') ?? null;
  const registry: Registry = {
    find: (word) => find(word.toLowerCase()),
    nearest: (word) =>
      nearestNamesOrAll(word, byName.keys()).filter((name) => !name.endsWith('-remove') || /rem/i.test(word)),
    all: () => [...byName.values()],
    help: () => [...byName.values()].map(helpEntry),
  };
  for (const command of commandsOf(registry)) {
    if (byName.has(command.name)) throw new Error(`two commands have one name: ${command.name}`);
    byName.set(command.name, command);
  }
  return registry;
}

export function helpEntry({ name, usage, summary, examples }: HelpEntry): HelpEntry {
  return { name, usage, summary, examples };
}

export type FormPorts = ReadPorts & {
  readonly settings: SettingsPort;
  readonly channel: ChannelId;
};

export type CommandForm = {
  /** Draws the form with the known part of the input. May read; the window shows “Looking…” meanwhile. */
  readonly open: (given: unknown, ports: FormPorts) => Promise<OpenedForm>;
  /** The input for the command, or the errors by field. Reads nothing: Slack waits three seconds. */
  readonly read: (values: FieldValues, context: unknown, ports: ReadPorts) => FormValues;
  /** Redraws the form after a live field changed. */
  readonly redraw?: (values: FieldValues, context: unknown, ports: FormPorts) => Promise<OpenedForm>;
};

export type OpenedForm =
  | { readonly kind: 'form'; readonly form: FormView }
  | { readonly kind: 'problem'; readonly problem: Problem };

export type FormValues =
  | { readonly kind: 'input'; readonly input: unknown }
  /** By field id. */
  | { readonly kind: 'errors'; readonly errors: Readonly<Record<string, string>> };
