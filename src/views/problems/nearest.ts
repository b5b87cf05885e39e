/** Names that come near, as a line of its own. */
import { type Mrkdwn, md } from '../kit/escape.ts';
import type { Offer } from '../models/problem-model.ts';
import { listMrkdwn } from '../text/common-text.ts';

/** Empty where nothing is near, or where buttons offer the names. */
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
