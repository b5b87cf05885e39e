/** Views of what Patchbay remembers of people's wishes, and of the pause. */
import type { Instant } from '../../lib/clock.ts';
import type { NamedLine, PauseRecord, StoredLineKind } from '../../store/port/settings-records.ts';
import type { View } from '../model.ts';
import type { CommandChoice } from './report-model.ts';

/** A line with its name; `remove` is null where the reader may not remove it. */
export type NamedLineRow = { readonly named: NamedLine; readonly remove: CommandChoice | null };

export type SettingView =
  | {
      readonly kind: 'names';
      readonly of: StoredLineKind;
      readonly rows: readonly NamedLineRow[];
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
  | {
      readonly kind: 'names-full';
      readonly of: StoredLineKind;
      readonly most: number;
      readonly shared: boolean;
    }
  | {
      readonly kind: 'no-such-name';
      readonly of: StoredLineKind;
      readonly name: string;
      readonly shared: boolean;
      readonly nearest: readonly string[];
    };
