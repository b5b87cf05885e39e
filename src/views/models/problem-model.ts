/** What can go wrong, as facts and not as wording. */

import type { FleetError } from '../../fleet/fleet.ts';
import type { FleetCommand } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import type { ChannelId, PersonId, Reference } from '../../lib/ids.ts';
import type { WriteFailureReason } from '../../lib/not-stored.ts';
import type { AlertProblem } from './alerts-model.ts';
import type { DevicePage, PickLine } from './device-model.ts';
import type { EditProblem } from './records-model.ts';
import type { CommandChoice } from './report-model.ts';
import type { SettingProblem } from './settings-model.ts';
import type { SoftwareProblem } from './software-model.ts';

/** `offers`: what is near, with buttons; absent where only the names are known. */
type NotFoundFields = {
  readonly query: string;
  readonly nearest: readonly string[];
  readonly offers?: readonly Offer[];
};

/**
 * Everything that can go wrong in words for a person. Each says what happened, whether anything changed,
 * and what to do next. `reference` stands on those that the log explains further.
 */
export type Problem =
  | SettingProblem
  | AlertProblem
  | {
      readonly kind: 'unknown-command';
      readonly word: string;
      readonly nearest: readonly string[];
      readonly offers?: readonly Offer[];
      readonly root: string;
    }
  | {
      readonly kind: 'usage';
      readonly command: string;
      readonly usage: string;
      readonly fault: UsageFault;
      /** The line put right, where one word of it was mistyped. */
      readonly offers?: readonly Offer[];
      readonly root: string;
    }
  | ({ readonly kind: 'no-such-device' } & NotFoundFields)
  /** All of the words name one each; only one can be meant. */
  | { readonly kind: 'several-devices'; readonly query: string; readonly offers?: readonly Offer[] }
  | { readonly kind: 'device-gone'; readonly query: string }
  | ({ readonly kind: 'no-such-group' } & NotFoundFields)
  | ({ readonly kind: 'no-such-policy' } & NotFoundFields)
  | { readonly kind: 'nothing-to-install'; readonly deviceName: string }
  | { readonly kind: 'already-installed'; readonly name: string; readonly deviceName: string }
  | {
      readonly kind: 'no-such-package';
      readonly query: string;
      readonly deviceName: string;
      readonly nearest: readonly string[];
    }
  /** A package name with a space cannot be expressed in the queue's arguments (§2.7). */
  | { readonly kind: 'unsendable-package'; readonly name: string }
  | SoftwareProblem
  | EditProblem
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
      /** The name of the command that was refused; absent where several may be meant. */
      readonly command?: string;
      /** Administrators whom the configuration file names. */
      readonly ask?: readonly PersonId[];
    }
  /** `what` asks about personal data, which is shown from the role `needed` on. */
  | { readonly kind: 'personal'; readonly what: string; readonly needed: string }
  | { readonly kind: 'rights-unknown'; readonly reference: Reference }
  /** The process ends before the answer was there. */
  | { readonly kind: 'restarting' }
  | {
      readonly kind: 'fleet';
      readonly error: FleetError;
      readonly changed: 'nothing' | 'unknown';
      readonly reference: Reference;
    }
  /** The card could not be posted, so nothing was asked or started. */
  | { readonly kind: 'card-refused'; readonly channel: ChannelId; readonly slackError: string }
  /** An answer could not be shared. `slackError` null: Slack did not say whether it was posted. */
  | { readonly kind: 'not-shared'; readonly channel: ChannelId; readonly slackError: string | null }
  /** Another organization reads the channel. `isKnown` false: Slack does not say whether one does. */
  | { readonly kind: 'external-channel'; readonly channel: ChannelId; readonly isKnown: boolean }
  /** A file could not be sent. `slackError` null: Slack did not say whether it came. */
  | { readonly kind: 'not-exported'; readonly slackError: string | null }
  /** Slack has not taken the card yet; it is kept and will be posted. */
  | { readonly kind: 'card-delayed'; readonly channel: ChannelId; readonly reference: Reference }
  /** The database took no write. */
  | {
      readonly kind: 'not-stored';
      readonly why: WriteFailureReason;
      readonly changed: 'nothing' | 'unknown';
      readonly reference: Reference;
    }
  | {
      readonly kind: 'unexpected';
      readonly changed: 'nothing' | 'unknown';
      readonly reference: Reference;
    };

export type UsageFault =
  /** `given`: what was typed, in part of the command's input, for its form to go on from. */
  | { readonly kind: 'missing'; readonly what: string; readonly prefill?: unknown }
  /** Many devices, where a command changes one. `choice`: their list; null where the filters make none. */
  | { readonly kind: 'one-device'; readonly filters: string; readonly choice: CommandChoice | null }
  | { readonly kind: 'unknown-word'; readonly word: string; readonly nearest: readonly string[] }
  /** `nearest`: as filters. */
  | { readonly kind: 'no-saved-target'; readonly name: string; readonly nearest: readonly string[] }
  | { readonly kind: 'bad-value'; readonly word: string; readonly expected: string }
  | { readonly kind: 'open-quote'; readonly near: string }
  | { readonly kind: 'too-long'; readonly length: number; readonly limit: number };

/** What may have been meant in place of what was typed, each with what takes it. */

export type Offer =
  /** `page`: one that was mistyped. */
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
  /** The whole line put right: run where that only looks, done where it changes a setting, else its form is opened. */
  | {
      readonly kind: 'line';
      readonly line: string;
      readonly does: 'run' | 'set' | 'form';
      readonly choice: CommandChoice;
    };
