/** Rows of lists of aliases and saved targets, and problems with settings. */
import type { NamedLine, PauseRecord, StoredLineKind } from '../../store/port/settings-records.ts';
import type { Offer } from './offer-model.ts';
import type { CommandChoice } from './report-model.ts';

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
