/**
 * The kinds of commands, so that the type says what each can change. A read command gets only readers; a
 * write command plans from fresh facts and changes nothing: the approval service does the rest.
 */

import type { Dialect } from '../../fleet/dialect.ts';
import type { FleetReader } from '../../fleet/fleet.ts';
import type { FleetAction } from '../../fleet/model/actions.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import type { MissingPatchIndex } from '../../inventory/missing-patches/missing-patch-index.ts';
import type { Permission, Role } from '../../lib/access.ts';
import type { Clock } from '../../lib/clock.ts';
import type { ChannelId, OrganizationId, PersonId, RequestId } from '../../lib/ids.ts';
import type { CardKey, TargetFacts } from '../../store/port/records.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import type { RequestFilter } from '../../store/port/request-store.ts';
import type { PauseStore } from '../../store/port/settings-records.ts';
import type { AuditStore } from '../../store/port/store.ts';
import type { HelpEntry, Problem, UsageFault, View } from '../../views/model.ts';
import type { HealthReport } from '../../views/models/health-model.ts';
import type { CommandForm } from '../forms/shared/command-form.ts';
import type { ResultCaches } from '../lists/result-cache.ts';
import type { LineWords } from '../parser/tokenizer.ts';
import type { SettingsPort } from '../settings/settings-port.ts';

/** Reads of Patchbay's own records. */
export type RecordsReader = {
  /** Up to `limit` (at most 500), the newest first. */
  readonly requests: (filter: RequestFilter, limit: number) => Promise<readonly RequestWithTargets[]>;
  /** The request with all of its targets; null: there is none. */
  readonly request: (id: RequestId) => Promise<RequestWithTargets | null>;
  /** The request that this delivery already made; null: none. */
  readonly byRequestKey: (requestKey: string) => Promise<RequestWithTargets | null>;
  readonly audit: AuditStore['latest'];
  /** The pause of all changes that goes on, or null. */
  readonly pause: PauseStore['current'];
  /** The link to a card; null if it is not posted. */
  readonly cardLink: (key: CardKey) => Promise<string | null>;
};

/** What every command reads from. */
export type SharedPorts = {
  readonly fleet: FleetReader;
  readonly inventory: Inventory;
  /** The missing-patch index. */
  readonly missingPatches: Omit<MissingPatchIndex, 'start' | 'stop'>;
  /** Cached lists of more than one page. */
  readonly results: ResultCaches;
  readonly clock: Clock;
  /** What the service accepts in its configured dialect. */
  readonly dialect: Dialect;
  /** The one that everything is read from. */
  readonly organizationId: OrganizationId;
  readonly records: RecordsReader;
  readonly health: () => Promise<HealthReport>;
  /** How long a request waits for approval, in milliseconds; null: it needs none. */
  readonly approvalMs: (order: FleetAction) => number | null;
  /** From this age on, in milliseconds, a change that was asked for is not asked for or sent any more. */
  readonly maxAgeMs: number;
};
/** The ports of one command of one person. */
export type ReadPorts = SharedPorts & {
  readonly asker: PersonId;
  /** Rows of a list at once, where it is not drawn but sent as a file; absent: as many as a message holds. */
  readonly pageSize?: number;
  /** Why the person may not do something; null if they may. Absent in forms, which open only for people who may. */
  readonly refusal?: (need: Permission) => Promise<Problem | null>;
  /** The lowest role that sees personal data, if the person may not see it; absent if they may. */
  readonly personalFrom?: Role;
};

export type Parsed<Input> =
  | { readonly kind: 'input'; readonly input: Input }
  | { readonly kind: 'fault'; readonly fault: UsageFault };

/** The change a write command proposes, with the facts that an approver will see. */
export type Proposal = {
  readonly command: FleetAction;
  readonly targets: readonly TargetFacts[];
  readonly reason: string | null;
};

export type Planned =
  | { readonly kind: 'proposal'; readonly proposal: Proposal }
  /** A picker, where the name fits several devices. */
  | { readonly kind: 'view'; readonly view: View }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** What a settings command works with: it changes what Patchbay itself remembers, and nothing behind the service. */
export type SettingPorts = ReadPorts & {
  readonly refusal: (need: Permission) => Promise<Problem | null>;
  readonly settings: SettingsPort;
  /** The channel of the command. */
  readonly channel: ChannelId;
};

/** Input has gone through the command's own schema; the registry keeps the type together with its functions. */
export type ReadCommand = HelpEntry & {
  readonly kind: 'read';
  /** Open to everybody, also without a role: help. */
  readonly open: boolean;
  /** The permission that its reader needs. */
  readonly permission: Permission;
  /** Takes saved targets, as `in:NAME`. */
  readonly targets?: true;
  readonly form?: CommandForm;
  readonly parse: (words: LineWords) => Parsed<unknown>;
  /** Runs with input from `parse` or from a button; input that does not fit the command's schema is a fault. */
  readonly run: (input: unknown, page: number, ports: ReadPorts) => Promise<View>;
  /** What keeps such input from an answer, because it names what is not there; null where it would be answered. */
  readonly findUnknownName?: (input: unknown, ports: ReadPorts) => Promise<Problem | null>;
};

export type WriteCommand = HelpEntry & {
  readonly kind: 'write';
  /** Takes saved targets, as `in:NAME`. */
  readonly targets?: true;
  readonly form?: CommandForm;
  readonly parse: (words: LineWords) => Parsed<unknown>;
  readonly plan: (input: unknown, ports: ReadPorts) => Promise<Planned>;
};

export type SettingCommand = HelpEntry & {
  readonly kind: 'setting';
  /** The permission that its caller needs. */
  readonly permission: Permission;
  readonly form?: CommandForm;
  readonly parse: (words: LineWords) => Parsed<unknown>;
  readonly run: (input: unknown, page: number, ports: SettingPorts) => Promise<View>;
};

export type Command = ReadCommand | WriteCommand | SettingCommand;
