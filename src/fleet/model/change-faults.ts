/** Why a change cannot be sent: found before anything was sent. Texts that people typed are cut. */
import type { EditedField } from './changes.ts';

export type ChangeFault =
  | { readonly kind: 'nothing-named'; readonly what: 'change' | 'package' | 'tag' }
  | { readonly kind: 'package-name'; readonly name: string }
  | { readonly kind: 'blank-tag' }
  | { readonly kind: 'tag-both-ways'; readonly tag: string }
  | { readonly kind: 'no-address'; readonly address: string }
  | { readonly kind: 'blank-group-name' | 'group-color' | 'wsus-not-forced' | 'wsus-address' }
  | { readonly kind: 'refresh-interval'; readonly least: number; readonly most: number }
  | { readonly kind: 'group-below-itself' | 'default-group' }
  /** The service would not take the value. */
  | { readonly kind: 'policy-field'; readonly field: EditedField }
  /** The service does not show it, so that sending the rest could remove it. */
  | { readonly kind: 'not-shown'; readonly what: HiddenField }
  | { readonly kind: 'no-more-batches' };

export type HiddenField =
  | 'device-group'
  | 'device-exception'
  | 'device-tags'
  | 'device-name'
  | 'group-name'
  | 'group-refresh-interval'
  | 'group-parent'
  | 'policy-configuration';

/** Of a text that somebody typed. */
export const MAX_FAULT_TEXT = 80;
