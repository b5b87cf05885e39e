/** Views of aliases, saved targets, time zones and the pause. */
import type { Instant } from '../../lib/clock.ts';
import type { NamedLine, PauseRecord, StoredLineKind } from '../../store/port/settings-records.ts';
import type { View } from '../model.ts';
import type { CommandChoice } from './report-model.ts';

/** An alias or saved target; `remove` is null where the reader may not remove it. */
export type NamedLineRow = { readonly named: NamedLine; readonly remove: CommandChoice | null };

export type SettingView =
  | {
      readonly kind: 'names';
      readonly of: StoredLineKind;
      readonly rows: readonly NamedLineRow[];
      /** How many a person may keep. */
      readonly most: number;
      /** The change that the answer confirms; null for the list alone. */
      readonly done: {
        readonly kind: 'kept' | 'removed';
        readonly name: string;
        readonly shared: boolean;
      } | null;
      readonly root: string;
    }
  /** `changed`: it was set by this command. */
  | {
      readonly kind: 'zone';
      readonly zone: string;
      readonly chosen: boolean;
      readonly changed: boolean;
      readonly asOf: Instant;
    }
  /** Private answer to `pause` and `resume`. `none`: nothing was paused, or that pause had ended. */
  | {
      readonly kind: 'pause';
      readonly what: 'begun' | 'already' | 'reason-added' | 'ended';
      readonly pause: PauseRecord;
    }
  /** `ask`: asks for confirmation. */
  | { readonly kind: 'pause'; readonly what: 'none' | 'ask' }
  /** The card in the channel for approvals. */
  | { readonly kind: 'pause-card'; readonly pause: PauseRecord }
  /** An answer with the command that its alias stood for. */
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
