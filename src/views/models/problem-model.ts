/** Problems as data; `src/views/problems` words them. */

import type { FleetError } from '../../fleet/fleet.ts';
import type { FleetCommand } from '../../fleet/model/actions.ts';
import type { ChangeFault } from '../../fleet/model/changes.ts';
import type { SeverityCount } from '../../fleet/model/derived-fields.ts';
import type { PolicyAction } from '../../fleet/model/policy-status.ts';
import type { Package } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import type { ChannelId, PersonId, PolicyId, Reference } from '../../lib/ids.ts';
import type { NotDone } from '../../lib/not-done.ts';
import type { WriteFailureReason } from '../../lib/not-stored.ts';
import type { RequestLimit } from '../../lib/rollout-limits.ts';
import type { RolloutPlan } from '../../rollout/plan.ts';
import type { RefusingRule } from '../../rules/rules.ts';
import type { AlertKind } from '../../store/port/alert-records.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import type { NamedLine, PauseRecord, StoredLineKind } from '../../store/port/settings-records.ts';
import type { CommandChoice, DevicePage, DoubtedList, EditProblem, PickLine } from './list-model.ts';

/** `offers`: similar names with buttons; absent where only the names are known. */
type NotFoundFields = {
  readonly query: string;
  readonly nearest: readonly string[];
  readonly offers?: readonly Offer[];
};

/** What a failure may have changed; null: it was a read, which changes nothing. */
export type Changed = 'nothing' | 'unknown' | null;

/** Everything that can go wrong for a person. `reference`: finds the details in the log. */
export type Problem =
  | SettingProblem
  | AlertProblem
  | {
      readonly kind: 'unknown-command';
      readonly word: string;
      readonly nearest: readonly string[];
      readonly offers?: readonly Offer[];
      /** The word was looked for among the devices too. */
      readonly noDevice?: true;
      /** It is understood, and not done here. */
      readonly notDone?: NotDone;
      /** No filter says this of devices. */
      readonly unknownFilter?: string;
      readonly root: string;
    }
  | {
      readonly kind: 'usage';
      readonly command: string;
      readonly usage: string;
      readonly fault: UsageFault;
      /** The corrected line, where one word was mistyped. */
      readonly offers?: readonly Offer[];
      readonly root: string;
    }
  | ({ readonly kind: 'no-such-device' } & NotFoundFields)
  /** Each word names something, but the command takes only one. */
  | { readonly kind: 'several-devices'; readonly query: string; readonly offers?: readonly Offer[] }
  /** Some of the words are devices, and `unknown` are not. */
  | {
      readonly kind: 'not-all-devices';
      readonly query: string;
      readonly unknown: readonly string[];
      readonly offers?: readonly Offer[];
    }
  /** A change is wanted at a time. `does`: its button explains it, requests it, or opens the form that asks for the rest. */
  | {
      readonly kind: 'no-schedules';
      readonly when: string;
      readonly does: 'run' | 'set' | 'form';
      readonly choice: CommandChoice;
      /** Null: not known before the rest is said. */
      readonly needsApproval: boolean | null;
    }
  | { readonly kind: 'device-gone'; readonly query: string }
  | ({ readonly kind: 'no-such-group' } & NotFoundFields)
  | ({ readonly kind: 'no-such-policy' } & NotFoundFields)
  /** `unlisted`: the service lists no packages at all of the device, so what it misses is not known. */
  | { readonly kind: 'nothing-to-install'; readonly deviceName: string; readonly unlisted?: true }
  | { readonly kind: 'already-installed'; readonly name: string; readonly deviceName: string }
  | {
      readonly kind: 'no-such-package';
      readonly query: string;
      readonly deviceName: string;
      readonly nearest: readonly string[];
      readonly offers?: readonly Offer[];
    }
  /** The names of missing packages that are all displayed under the name that was typed. */
  | {
      readonly kind: 'several-packages';
      readonly query: string;
      readonly deviceName: string;
      readonly names: readonly string[];
      readonly offers?: readonly Offer[];
    }
  /** A package name with a space cannot be expressed in the queue's arguments (§2.7). */
  | { readonly kind: 'unsendable-package'; readonly name: string }
  | SoftwareProblem
  | RolloutProblem
  /** Each of the devices stays out of a change, for a reason of its own. */
  | {
      readonly kind: 'none-to-change';
      readonly leftOut: readonly { readonly name: string; readonly problem: Problem }[];
    }
  | EditProblem
  | { readonly kind: 'unsendable-change'; readonly fault: ChangeFault }
  | {
      readonly kind: 'already-queued';
      readonly command: FleetCommand;
      readonly deviceName: string;
      readonly since: Instant | null;
    }
  | {
      readonly kind: 'not-allowed';
      readonly need: string;
      readonly role: string | null;
      /** The name of the command that was refused; absent when several may be meant. */
      readonly command?: string;
      /** Admins named in the configuration file. */
      readonly ask?: readonly PersonId[];
    }
  /** `what` asks for personal data, which needs at least the role `needed`. */
  | { readonly kind: 'personal'; readonly what: string; readonly needed: string }
  | { readonly kind: 'rights-unknown'; readonly reference: Reference }
  /** The process stopped before the answer was ready. */
  | { readonly kind: 'restarting' }
  | {
      readonly kind: 'fleet';
      readonly error: FleetError;
      readonly changed: Changed;
      readonly reference: Reference;
    }
  /** The card could not be posted, so nothing was requested or started. */
  | { readonly kind: 'card-refused'; readonly channel: ChannelId; readonly slackError: string }
  /** An answer could not be shared. `slackError` null: Slack did not say whether it was posted. */
  | { readonly kind: 'not-shared'; readonly channel: ChannelId; readonly slackError: string | null }
  /** The channel is shared with another organization. `isKnown` false: Slack did not say whether it is. */
  | { readonly kind: 'external-channel'; readonly channel: ChannelId; readonly isKnown: boolean }
  /** A file could not be sent. `slackError` null: Slack did not say whether it arrived. */
  | { readonly kind: 'not-exported'; readonly slackError: string | null }
  /** Slack has not accepted the card yet. It is stored and will be posted. */
  | { readonly kind: 'card-delayed'; readonly channel: ChannelId; readonly reference: Reference }
  | {
      readonly kind: 'not-stored';
      readonly why: WriteFailureReason;
      readonly changed: Changed;
      readonly reference: Reference;
    }
  | {
      readonly kind: 'unexpected';
      readonly changed: Changed;
      readonly reference: Reference;
    };

export type UsageFault =
  /** `given`: the part of the input that was typed, to fill in the form. */
  | { readonly kind: 'missing'; readonly what: string; readonly prefill?: unknown }
  /** Filters for several devices, where the command takes one. `choice`: lists them; null where the filters match none. */
  | { readonly kind: 'one-device'; readonly filters: string; readonly choice: CommandChoice | null }
  /** An option of a rollout, such as `waves:1`, after “because”. */
  | { readonly kind: 'option-in-reason'; readonly option: string }
  /** `of`: what it was meant as; absent: a filter, where the word has a colon. */
  | {
      readonly kind: 'unknown-word';
      readonly word: string;
      readonly nearest: readonly string[];
      readonly of?: 'command' | 'option' | 'saved target';
    }
  | { readonly kind: 'bad-value'; readonly word: string; readonly expected: string }
  | { readonly kind: 'open-quote'; readonly near: string }
  | { readonly kind: 'too-long'; readonly length: number; readonly limit: number };

type LimitOf<K extends RequestLimit['kind']> = Extract<RequestLimit, { readonly kind: K }>;

/** Why a change of many devices cannot be requested as it was asked for. */
type RolloutProblem =
  /** `filters`: as they would be typed. `unknown`: of so many devices it is unknown whether they match. */
  | { readonly kind: 'no-devices-match'; readonly filters: string; readonly unknown?: number }
  | { readonly kind: 'unknown-fit'; readonly deviceName: string }
  /** The first walk over the fleet is not complete, so these might not be all of the devices; `of` null: of how many is not known. */
  | { readonly kind: 'fleet-unread'; readonly read: number; readonly of: number | null }
  /** A list of the service lacks too much, so filters could select wrong devices. */
  | { readonly kind: 'list-doubted'; readonly doubt: DoubtedList }
  /** `oldest`: the age of what is known, which may be too old. `isGoing`: they are being read in the background. */
  | {
      readonly kind: 'packages-unread';
      readonly known: number;
      readonly of: number;
      readonly oldest: Instant | null;
      readonly isGoing: boolean;
    }
  /** The packages of one device, which stays out. */
  | { readonly kind: 'device-packages-unread'; readonly deviceName: string }
  | {
      readonly kind: 'missing-nowhere';
      readonly query: string;
      readonly devices: number;
      readonly nearest: readonly string[];
      readonly offers?: readonly Offer[];
    }
  | { readonly kind: 'rollout-too-large'; readonly devices: number; readonly most: number }
  | LimitOf<'daily-limit'>
  /** With the person's waiting requests. */
  | (LimitOf<'too-many-waiting'> & { readonly waiting: readonly RequestWithTargets[] })
  /** `offers`: the form with all else filled in. */
  | (LimitOf<'reason-required'> & { readonly offers?: readonly Offer[] })
  /** By these rules nobody can, for so many of its devices, of which some are named. */
  | {
      readonly kind: 'rule-refuses';
      readonly rules: readonly RefusingRule[];
      readonly names: readonly string[];
      readonly devices: number;
      readonly total: number;
    }
  /** A rule asks for a reason with this pattern in it; null: for any. `rule` null: for what no rule covers. */
  | {
      readonly kind: 'reason-unfit';
      readonly rule: string | null;
      readonly pattern: string | null;
      readonly offers?: readonly Offer[];
    }
  /** Another request for the same waits, but with another plan, or only for the rest. `plan`, `devices`: what was asked for now. */
  | {
      readonly kind: 'request-differs';
      readonly request: RequestWithTargets;
      readonly link: string | null;
      readonly plan: RolloutPlan | null;
      readonly devices: number;
      /** Whether the reader requested the waiting one. */
      readonly mine: boolean;
    };

/** A suggestion with the command that uses it. */
export type Offer =
  /** `page`: the page whose name was mistyped. */
  | {
      readonly kind: 'device';
      readonly line: PickLine;
      readonly page?: DevicePage;
      readonly choice: CommandChoice;
    }
  /** A group or a policy; `detail` tells it from others of its name. */
  | {
      readonly kind: 'named';
      readonly what: 'group' | 'policy';
      readonly name: string;
      readonly id: number;
      readonly detail: string | null;
      readonly choice: CommandChoice;
    }
  /** The corrected line. Its button runs it where it only reads or changes a setting, else it opens the form. */
  | {
      readonly kind: 'line';
      readonly line: string;
      readonly does: 'run' | 'set' | 'form';
      readonly choice: CommandChoice;
    };

/** A channel that the configuration file sets for a kind of alert. */
export type ConfiguredRoute = { readonly kind: AlertKind; readonly channel: ChannelId };

/** An event that Patchbay does not know. `meant`: the known name that is nearest, and the command with it. */
export type UnknownEvent = {
  readonly name: string;
  readonly meant: { readonly word: string; readonly choice: CommandChoice } | null;
};

type AlertProblem =
  /** There is no active subscription or silence, or no alert, with this number. */
  | {
      readonly kind: 'no-such-number';
      readonly what: 'subscription' | 'silence' | 'alert';
      readonly number: number;
    }
  /** The bot is not a member of the channel, so it cannot post there. */
  | { readonly kind: 'no-member'; readonly channel: string }
  /** Slack did not say whether the bot is a member. */
  | { readonly kind: 'channel-unread'; readonly channel: string }
  | { readonly kind: 'too-many-subscriptions'; readonly most: number; readonly own: boolean }
  | { readonly kind: 'too-many-silences'; readonly most: number; readonly own: boolean };

/** An alias or saved target; `remove` is null where the reader may not remove it. */
export type NamedLineRow = { readonly named: NamedLine; readonly remove: CommandChoice | null };

export type SettingProblem =
  | { readonly kind: 'paused'; readonly pause: PauseRecord }
  | {
      readonly kind: 'names-full';
      readonly of: StoredLineKind;
      readonly most: number;
      readonly shared: boolean;
    }
  /** A shared alias named like a device would take its place on command lines. */
  | { readonly kind: 'alias-is-device'; readonly name: string }
  | {
      readonly kind: 'no-such-name';
      readonly of: StoredLineKind;
      readonly name: string;
      readonly shared: boolean;
      /** Removes one with a similar name. */
      readonly offers?: readonly Offer[];
    };

/** A package that a device is missing, with what a list of many devices shows of it. */
export type MissingPackage = Pick<Package, 'name' | 'displayName' | 'version' | 'severity'>;

export type PackageReading = {
  /** Devices that the service lists with missing patches, ignored and deferred ones included. */
  readonly candidates: number;
  readonly looked: number;
  /** Those of them that were read from the service's list of all devices; the others were read one by one. */
  readonly fromList: number;
  readonly unread: number;
  /** Packages are still being read in the background. */
  readonly isGoing: boolean;
  /** When the oldest of the packages' data was read; null where none was. */
  readonly oldest: Instant | null;
};

type SoftwareProblem =
  /** The device is missing none of the packages of a request for several devices. `severities`: the packages were chosen by them alone. */
  | { readonly kind: 'none-missing'; readonly deviceName: string; readonly severities?: readonly string[] }
  /** The policy cannot be run this way, or is not one of the device's. `others` can be. */
  | {
      readonly kind: 'policy-not-for';
      readonly why: 'kind' | 'device';
      readonly action: PolicyAction;
      readonly policy: { readonly id: PolicyId; readonly name: string; readonly type: string | null };
      /** Absent: none in particular. */
      readonly deviceName?: string;
      readonly others: readonly string[];
      /** `others` with buttons; absent where there are none. */
      readonly offers?: readonly Offer[];
    }
  /** The policy has no groups, or there are no devices in them. */
  | {
      readonly kind: 'policy-without-devices';
      readonly policy: { readonly id: PolicyId; readonly name: string };
    }
  /** No missing package has one of the severities. `there` counts those with others or none. */
  | {
      readonly kind: 'no-such-severity';
      readonly asked: readonly string[];
      readonly deviceName: string;
      readonly there: readonly SeverityCount[];
    };
