/** Why the management service could not be used, in words. */
import type { FleetError } from '../fleet/fleet.ts';
import { code, literal, type Mrkdwn, md } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { count } from './words.ts';

type Words = { readonly what: Mrkdwn; readonly next: Mrkdwn };

const AGAIN = md`Try again in a minute.`;
const OPERATOR = md`Ask whoever runs Patchbay to check it with ${code('npm run doctor')}.`;

/** What happened, whether anything changed, what to do next. */
export function fleetWords(error: FleetError, changed: 'nothing' | 'unknown') {
  const { what, next } = error.held === true ? heldWords(error) : serviceWords(error);
  return {
    what: md`${what}.`,
    changed:
      changed === 'nothing'
        ? md`Nothing was changed.`
        : md`It’s unknown whether anything changed. Check the device’s queue before you try again.`,
    // What may have been done is not to be done twice.
    next: changed === 'unknown' && isRetried(error) ? md`If it isn’t there, try again in a minute.` : next,
  };
}

function isRetried({ kind }: FleetError): boolean {
  return ['unreachable', 'timeout', 'throttled', 'broken', 'unreadable'].includes(kind);
}

/** We did not send it: no word of the service's own stands there. */
function heldWords(error: FleetError): Words {
  const why = literal(error.detail, SHOWN.sentence / 2);
  return {
    what: md`Patchbay held this back: ${why}`,
    next: error.kind === 'throttled' ? againIn(error.retryAfterMs) : AGAIN,
  };
}

function serviceWords(error: FleetError): Words {
  const { what, next } = words(error);
  return { what: error.detail === '' ? what : md`${what} (${code(error.detail, SHOWN.sentence / 2)})`, next };
}

function againIn(ms: number): Mrkdwn {
  return md`Try again in ${count(Math.max(Math.ceil(ms / 1_000), 1), 'second')}.`;
}

function words(error: FleetError): Words {
  switch (error.kind) {
    case 'unreachable':
      return { what: md`The management service can’t be reached`, next: AGAIN };
    case 'timeout':
      return { what: md`The management service didn’t answer in time`, next: AGAIN };
    case 'unauthorized':
      return { what: md`The management service rejected Patchbay’s API key`, next: OPERATOR };
    case 'forbidden':
      return {
        what: md`The management service doesn’t allow this, or the item no longer exists`,
        next: OPERATOR,
      };
    case 'missing':
      return {
        what: md`The management service couldn’t find this`,
        next: md`It may have been deleted. Search for it by name.`,
      };
    case 'invalid':
      return { what: md`The management service rejected this as invalid`, next: OPERATOR };
    case 'throttled':
      return {
        what: md`The management service is rate limiting Patchbay`,
        next: againIn(error.retryAfterMs),
      };
    case 'broken':
      return { what: md`The management service had an internal error`, next: AGAIN };
    case 'unreadable':
      return { what: md`The management service sent an unreadable answer`, next: AGAIN };
    case 'too-large':
      return { what: md`The management service sent an answer that is too large`, next: OPERATOR };
  }
}
