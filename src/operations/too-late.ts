/** Changes that became due too long ago to be sent, and the words for them: pure. */
import { ageOf, type Instant } from '../clock.ts';
import type { FleetError } from '../fleet/fleet.ts';
import { durationText } from '../text.ts';
import { errorText, timeToken } from './words.ts';

/** Since when a change is due: when it was requested or, where somebody had to agree, approved. */
export type Due = { readonly since: Instant; readonly how: 'requested' | 'approved' };

/** Why the change is not sent any more, as the end of a sentence; null while it still may be. */
export function tooLate({ since, how }: Due, maxAgeMs: number, now: Instant): string | null {
  if (ageOf(since, now) < maxAgeMs) return null;
  return `too late. It was ${how} ${timeToken(since)}. Changes older than ${durationText(maxAgeMs)} are not sent`;
}

/** The same where the service could not be read before sending. */
export function unreadText(error: FleetError): string {
  return `too late. It could not be checked in time, because ${errorText(error)}`;
}
