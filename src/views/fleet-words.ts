/** Why the management service could not be used, in words. */
import type { FleetError } from '../fleet/fleet.ts';
import { code, literal, type Mrkdwn, md } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { count } from './words.ts';

type Words = { readonly what: Mrkdwn; readonly next: Mrkdwn };

const AGAIN = md`Try again in a minute.`;
const OPERATOR = md`Tell whoever runs Patchbay, who can check it with ${code('npm run doctor')}.`;

/** What happened, whether anything changed, what to do next. */
export function fleetWords(error: FleetError, changed: 'nothing' | 'unknown') {
  const { what, next } = error.held === true ? heldWords(error) : serviceWords(error);
  return {
    what: md`${what}.`,
    changed:
      changed === 'nothing'
        ? md`Nothing was changed.`
        : md`Whether anything was changed is not known: look at the device’s queue before you ask again.`,
    // What may have been done is not to be done twice.
    next:
      changed === 'unknown' && isRetried(error) ? md`If nothing stands there, ask again in a minute.` : next,
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
      return { what: md`The management service cannot be reached`, next: AGAIN };
    case 'timeout':
      return { what: md`The management service did not answer in time`, next: AGAIN };
    case 'unauthorized':
      return { what: md`The management service did not accept our key`, next: OPERATOR };
    case 'forbidden':
      return {
        what: md`The management service does not allow this, or what was asked for is gone`,
        next: OPERATOR,
      };
    case 'missing':
      return {
        what: md`The management service does not know what was asked for`,
        next: md`It may be gone. Look for it by its name.`,
      };
    case 'invalid':
      return { what: md`The management service did not accept the request`, next: OPERATOR };
    case 'throttled':
      return { what: md`The management service asks us to slow down`, next: againIn(error.retryAfterMs) };
    case 'broken':
      return { what: md`The management service has a fault of its own`, next: AGAIN };
    case 'unreadable':
      return { what: md`The management service sent an answer that cannot be read`, next: AGAIN };
    case 'too-large':
      return { what: md`The management service sent more than can be read`, next: OPERATOR };
  }
}
