/** Views of what Patchbay remembers of people's wishes, and of the pause. */
import type { Instant } from '../../clock.ts';
import type { NamedKind, NamedLine, PauseRecord } from '../../store/settings-records.ts';
import type { View } from '../model.ts';
import type { Choice } from './report-model.ts';

/** A line with its name; `remove` is null where the reader may not remove it. */
export type NameRow = { readonly named: NamedLine; readonly remove: Choice | null };

export type SettingView =
  | {
      readonly kind: 'names';
      readonly of: NamedKind;
      readonly rows: readonly NameRow[];
      /** How many a person may keep. */
      readonly most: number;
      /** What the answer is about; null: asked for the list. */
      readonly done: {
        readonly kind: 'kept' | 'removed';
        readonly name: string;
        readonly shared: boolean;
      } | null;
      readonly root: string;
    }
  /** `changed`: just now. */
  | {
      readonly kind: 'zone';
      readonly zone: string;
      readonly chosen: boolean;
      readonly changed: boolean;
      readonly asOf: Instant;
    }
  /** Private answer to who turned the switch; `none`: nothing was paused, or not by that pause any more. */
  | {
      readonly kind: 'pause';
      readonly what: 'begun' | 'already' | 'reason-added' | 'ended';
      readonly pause: PauseRecord;
    }
  /** `ask`: whether to pause. */
  | { readonly kind: 'pause'; readonly what: 'none' | 'ask' }
  /** What the channel for approvals sees. */
  | { readonly kind: 'pause-card'; readonly pause: PauseRecord }
  /** An answer to a line that began with an alias. */
  | { readonly kind: 'expanded'; readonly view: View; readonly name: string; readonly line: string };

export type SettingProblem =
  | { readonly kind: 'paused'; readonly pause: PauseRecord }
  | { readonly kind: 'names-full'; readonly of: NamedKind; readonly most: number; readonly shared: boolean }
  | {
      readonly kind: 'no-such-name';
      readonly of: NamedKind;
      readonly name: string;
      readonly shared: boolean;
      readonly nearest: readonly string[];
    };
