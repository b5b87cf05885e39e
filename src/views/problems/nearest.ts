/** The closest matches of a name that was not found, as one line. */
import { type Mrkdwn, md } from '../kit/escape.ts';
import type { Offer } from '../models/offer-model.ts';
import { listMrkdwn } from '../text/common-text.ts';

/** Ends with a line break. Empty without a close match, and where buttons offer the names. */
export function nearestText({
  nearest: names,
  offers = [],
}: {
  readonly nearest: readonly string[];
  readonly offers?: readonly Offer[];
}): Mrkdwn {
  if (names.length === 0 || offers.length > 0) return md``;
  return names.length === 1
    ? md`Closest match: ${listMrkdwn(names)}.\n`
    : md`Closest matches: ${listMrkdwn(names)}.\n`;
}
