/** What went wrong with the management service, and why Patchbay itself did not send a call, in words. */
import type { FleetError, HeldCause } from '../../fleet/fleet.ts';
import { SECOND } from '../../lib/clock.ts';
import { escapeMrkdwn, inlineCode, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import type { Changed } from '../models/problem-model.ts';
import { countText } from './common-text.ts';

type ErrorText = { readonly what: Mrkdwn; readonly next: Mrkdwn };

const TRY_AGAIN = md`Try again in a minute.`;
const TELL_ADMIN = md`Ask whoever runs Patchbay to check it with ${inlineCode('npm run doctor')}.`;

/** What happened, whether anything changed, and what to do next. */
export function serviceErrorText(error: FleetError, changed: Changed) {
  const { what, next } = error.held === undefined ? unavailableText(error) : heldErrorText(error, error.held);
  return {
    what: md`${what}.`,
    ...(changed === null ? {} : { changed: CHANGED[changed] }),
    // The command may have been sent, so the queue comes before a second try.
    next: changed === 'unknown' && isRetried(error) ? md`If it isn’t there, try again in a minute.` : next,
  };
}

const CHANGED = {
  nothing: md`Nothing was changed.`,
  unknown: md`It’s unknown whether anything changed. Check the device’s queue before you try again.`,
} as const;

function isRetried({ kind }: FleetError): boolean {
  return ['unreachable', 'timeout', 'throttled', 'broken', 'unreadable'].includes(kind);
}

/** The text does not blame the service. */
function heldErrorText(error: FleetError, cause: HeldCause): ErrorText {
  return {
    what: md`Patchbay held this back: ${trustedMrkdwn(heldText(cause))}`,
    next: error.kind === 'throttled' ? retryInText(error.retryAfterMs) : TRY_AGAIN,
  };
}

function unavailableText(error: FleetError): ErrorText {
  const { what, next } = errorText(error);
  // Without a status, that it took too long is all that is known.
  if (error.detail === '' || (error.kind === 'timeout' && error.status === null)) return { what, next };
  const limit = DISPLAY_LIMIT.sentence / 2;
  // Without a status the detail is our own sentence; else it may be the service's own words.
  const detail = error.status === null ? escapeMrkdwn(error.detail, limit) : inlineCode(error.detail, limit);
  return { what: md`${what} (${detail})`, next };
}

function retryInText(ms: number): Mrkdwn {
  return md`Try again in ${countText(Math.max(Math.ceil(ms / 1_000), 1), 'second')}.`;
}

function errorText(error: FleetError): ErrorText {
  switch (error.kind) {
    case 'unreachable':
      return { what: md`Patchbay can’t reach the management service`, next: TRY_AGAIN };
    case 'timeout':
      return { what: md`The management service didn’t answer in time`, next: TRY_AGAIN };
    case 'unauthorized':
      return { what: md`The management service rejected Patchbay’s API key`, next: TELL_ADMIN };
    case 'forbidden':
      return {
        what: md`The management service doesn’t allow this, or the item no longer exists`,
        next: TELL_ADMIN,
      };
    case 'missing':
      return {
        what: md`The management service couldn’t find this`,
        next: md`It may have been deleted. Search for it by name.`,
      };
    case 'invalid':
      return { what: md`The management service rejected this as invalid`, next: TELL_ADMIN };
    case 'throttled':
      return {
        what: md`The management service is rate limiting Patchbay`,
        next: retryInText(error.retryAfterMs),
      };
    case 'broken':
      return { what: md`The management service had an internal error`, next: TRY_AGAIN };
    case 'unreadable': {
      const what = error.declined === true ? md`answered with an error` : md`sent an unreadable answer`;
      return { what: md`The management service ${what}`, next: TRY_AGAIN };
    }
    case 'too-large':
      return { what: md`The management service sent an answer that is too large`, next: TELL_ADMIN };
  }
}

/** Part of a sentence, without any text from outside. */
export function heldText(cause: HeldCause): string {
  switch (cause.kind) {
    case 'breaker': {
      const { failures, retryInMs } = cause;
      const when =
        retryInMs === 0
          ? 'it is being tried now'
          : `it is tried again in ${countText(Math.ceil(retryInMs / SECOND), 'second')}`;
      return `the service failed ${failures} times in a row, so nothing was sent; ${when}`;
    }
    case 'limit':
      return 'it keeps to the rate limit of the service';
    case 'pause':
      return 'the service asked for a pause a moment ago';
    case 'crowded':
      return 'too many other requests came first';
    case 'stopping':
      return 'it is stopping';
    case 'delayed':
      return 'it was delayed just before sending';
    case 'no-batches':
      return 'the service takes the tags of one device at a time';
  }
}
