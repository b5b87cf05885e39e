/** Views of help and of `explain`. */

import type { FleetAction } from '../../fleet/model/actions.ts';
import type { Permission } from '../../lib/access.ts';
import type { TargetFacts } from '../../store/port/records.ts';
import type { PauseRecord } from '../../store/port/settings-records.ts';
import type { ButtonValue, Problem } from '../model.ts';

export type HelpEntry = {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly examples: readonly string[];
};

/** A filter with a value as it is typed, and what it finds. */
export type HelpFilter = { readonly text: string; readonly description: string };

/** A common task, with an example command. */
export type HelpTask = { readonly title: string; readonly line: string };

/** The commands of one topic. */
export type HelpSection = { readonly title: string; readonly commands: readonly HelpEntry[] };

export type HelpView = {
  readonly kind: 'help';
  /** The start screen; absent: `sections` and `topic` are shown. */
  readonly start?: { readonly tasks: readonly HelpTask[]; readonly topics: readonly string[] };
  readonly sections: readonly HelpSection[];
  /** How many commands of the sections the reader may not use. */
  readonly withheld: number;
  /** Why the reader may use nothing at all, or not this command. */
  readonly refusal: Problem | null;
  readonly root: string;
  /** One command; with `sections`, the command that has the name of their topic. */
  readonly topic: HelpEntry | null;
  /** The topic's filters, each explained; absent: only its usage line is shown. */
  readonly filters?: readonly HelpFilter[];
  /** A button that tries the topic; null where it needs arguments or the reader may not use it. */
  readonly attempt: Extract<ButtonValue, { do: 'run' | 'form' }> | null;
};

/** Views of `explain`. */

export type ExplainView =
  /** A command that changes nothing in the management service, whatever its arguments. */
  | {
      readonly kind: 'explain';
      readonly command: HelpEntry;
      readonly what: 'read' | 'setting';
      /** The permission that it needs; null: anyone may use it. */
      readonly need: Permission | null;
      readonly root: string;
    }
  /** A command planned as if it were requested. Nothing is requested or sent. */
  | {
      readonly kind: 'explain-plan';
      readonly command: FleetAction;
      readonly targets: readonly TargetFacts[];
      readonly reason: string | null;
      /** The permission that it needs. */
      readonly need: Permission;
      /** How long, in milliseconds, a request would wait for an approver; null: it needs no approval. */
      readonly approvalMs: number | null;
      /** The pause during which the command would be refused; null: changes are not paused. */
      readonly pause: PauseRecord | null;
      /** Without personal data. */
      readonly shared?: true;
    };
