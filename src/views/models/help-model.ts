/** What help tells of a command, and the view of it. */

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

/** A filter with a value as it is typed, and which things it finds. */
export type HelpFilter = { readonly text: string; readonly description: string };

/** What people do most, with a line that does it. */
export type HelpTask = { readonly title: string; readonly line: string };

/** Commands of one topic. */
export type HelpSection = { readonly title: string; readonly commands: readonly HelpEntry[] };

export type HelpView = {
  readonly kind: 'help';
  /** The first screen, which leads to the others; absent: `sections` and `topic` are shown. */
  readonly start?: { readonly tasks: readonly HelpTask[]; readonly topics: readonly string[] };
  readonly sections: readonly HelpSection[];
  /** So many commands of the sections the reader may not use. */
  readonly withheld: number;
  /** Why the reader may do nothing at all, or not what is asked about. */
  readonly refusal: Problem | null;
  readonly root: string;
  /** One command; with sections, the command that is named like their topic. */
  readonly topic: HelpEntry | null;
  /** Of the topic, each explained; absent: as far as its usage says. */
  readonly filters?: readonly HelpFilter[];
  /** What tries the topic; null where nothing does without arguments, or the reader may not. */
  readonly attempt: Extract<ButtonValue, { do: 'run' | 'form' }> | null;
};

/** Views of what a command would do. */

export type ExplainView =
  /** Changes nothing behind the service, whatever words follow it. */
  | {
      readonly kind: 'explain';
      readonly command: HelpEntry;
      readonly what: 'read' | 'setting';
      /** What its caller must be allowed; null: anybody may use it. */
      readonly need: Permission | null;
      readonly root: string;
    }
  /** Planned as if it were asked for; nobody was asked and nothing was sent. */
  | {
      readonly kind: 'explain-plan';
      readonly command: FleetAction;
      readonly targets: readonly TargetFacts[];
      readonly reason: string | null;
      /** What its caller must be allowed. */
      readonly need: Permission;
      /** How long a request would wait for an approver; null: nobody has to agree. */
      readonly approvalMs: number | null;
      /** While it goes on, the command would be refused; null: nothing is paused. */
      readonly pause: PauseRecord | null;
      /** Without what is personal. */
      readonly shared?: true;
    };
