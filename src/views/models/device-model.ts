/** What views of devices share: totals of a list, and the pages of one device. */

import type { PersonId } from '../../lib/ids.ts';

/** Of how many devices the service does not say it. */
export type UnknownTotals = Readonly<Record<'connection' | 'pending' | 'needsReboot' | 'compliance', number>>;

/** Counts over the whole list, not only the page shown. */
export type DeviceTotals = {
  readonly online: number;
  readonly offline: number;
  readonly pending: number;
  readonly needsReboot: number;
  readonly noncompliant: number;
  /** Of how many devices it is not known; absent: of none. */
  readonly unknown?: UnknownTotals;
};

/** The pages of a device; `facts` is its card. */
export type DevicePage =
  | 'facts'
  | 'hardware'
  | 'volumes'
  | 'network'
  | 'updates'
  | 'policies'
  | 'timeline'
  | 'queue';

/**
 * Present where the reader may only look. `ask`: the people to ask for more; null in a channel, where nobody is named.
 */
export type ReadOnlyReader = { readonly lookOnly?: { readonly ask: readonly PersonId[] | null } };
