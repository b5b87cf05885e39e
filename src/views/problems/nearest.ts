/** Names that come near, as a line of its own. */
import { type Mrkdwn, md } from '../kit/escape.ts';
import type { Offer } from '../models/offer-model.ts';
import { listed } from '../words.ts';

/** Empty where nothing is near, or where buttons offer the names. */
export function nearest({
  nearest: names,
  offers = [],
}: {
  readonly nearest: readonly string[];
  readonly offers?: readonly Offer[];
}): Mrkdwn {
  if (names.length === 0 || offers.length > 0) return md``;
  return names.length === 1
    ? md`Closest match: ${listed(names)}.\n`
    : md`Closest matches: ${listed(names)}.\n`;
}
