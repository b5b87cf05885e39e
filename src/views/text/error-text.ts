/** What went wrong with the management service, and why Patchbay itself did not send a call, in words. */

import { FIELD_LABELS } from '../../fleet/facts/edit-changes.ts';
import type { FleetError, HeldCause } from '../../fleet/fleet.ts';
import type { ChangeFault, HiddenField } from '../../fleet/model/changes.ts';
import { byKind } from '../../lib/record-fields.ts';
import { upperFirst } from '../../lib/text.ts';
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
  const isUnsent = changed === 'nothing' && error.held?.kind === 'breaker';
  return {
    what: isUnsent ? md`${what}, so nothing was sent.` : md`${what}.`,
    ...(changed === null || isUnsent ? {} : { changed: CHANGED[changed] }),
    // The command may have been sent, so the queue comes before a second try.
    next:
      changed === 'unknown' && RETRIED.has(error.kind) ? md`If it isn’t there, try again in a minute.` : next,
  };
}

const CHANGED = {
  nothing: md`Nothing was changed.`,
  unknown: md`It’s unknown whether anything changed. Check the device’s queue before you try again.`,
} as const;

const RETRIED: ReadonlySet<string> = new Set(['unreachable', 'timeout', 'throttled', 'broken', 'unreadable']);

/** The text does not blame the service. */
function heldErrorText(error: FleetError, cause: HeldCause): ErrorText {
  return {
    what: trustedMrkdwn(upperFirst(heldText(cause))),
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
  if (error.kind === 'throttled')
    return { what: ERRORS.throttled.what, next: retryInText(error.retryAfterMs) };
  const isDeclined = error.kind === 'unreadable' && error.declined === true;
  return isDeclined
    ? { what: md`The management service answered with an error`, next: TRY_AGAIN }
    : ERRORS[error.kind];
}

const ERRORS: Readonly<Record<FleetError['kind'], ErrorText>> = {
  unreachable: { what: md`Patchbay can’t reach the management service`, next: TRY_AGAIN },
  timeout: { what: md`The management service didn’t answer in time`, next: TRY_AGAIN },
  unauthorized: { what: md`The management service rejected Patchbay’s API key`, next: TELL_ADMIN },
  forbidden: {
    what: md`The management service doesn’t allow this, or the item no longer exists`,
    next: TELL_ADMIN,
  },
  missing: {
    what: md`The management service couldn’t find this`,
    next: md`It may have been deleted. Search for it by name.`,
  },
  invalid: { what: md`The management service rejected this as invalid`, next: TELL_ADMIN },
  throttled: { what: md`The management service is rate limiting Patchbay`, next: TRY_AGAIN },
  broken: { what: md`The management service had an internal error`, next: TRY_AGAIN },
  unreadable: { what: md`The management service sent an unreadable answer`, next: TRY_AGAIN },
  'too-large': { what: md`The management service sent an answer that is too large`, next: TELL_ADMIN },
};

/** Part of a sentence, without any text from outside. */
export function heldText(cause: HeldCause): string {
  if (cause.kind !== 'breaker') return `Patchbay held this back: ${HELD_TEXTS[cause.kind]}`;
  return `the management service isn’t answering (${countText(cause.failures, 'failure')} in a row)`;
}

const HELD_TEXTS: Readonly<Record<Exclude<HeldCause['kind'], 'breaker'>, string>> = {
  limit: 'it keeps to the rate limit of the service',
  pause: 'the service asked for a pause a moment ago',
  crowded: 'too many other requests came first',
  stopping: 'it is stopping',
  delayed: 'it was delayed just before sending',
  'no-batches': 'the service takes the tags of one device at a time',
};

/** Part of a sentence. It may hold what somebody typed. */
export const changeFaultText = byKind<ChangeFault, string>({
  'nothing-named': ({ what }) => `no ${what} was named`,
  'package-name': ({ name }) =>
    `the service separates package names by spaces, so it cannot take ${JSON.stringify(name)}`,
  'blank-tag': 'a tag cannot be blank',
  'tag-both-ways': ({ tag }) => `${JSON.stringify(tag)} cannot be added and removed at once`,
  'no-address': ({ address }) => `${JSON.stringify(address)} is not an IP address`,
  'blank-group-name': 'a group needs a name: only the Default Group has a blank one',
  'group-color': 'a color is #RRGGBB, or one of the nine names of the console',
  'wsus-not-forced': 'a WSUS server needs WSUS to be forced',
  'wsus-address': 'a WSUS server is http://HOST:PORT, and nothing after it',
  'refresh-interval': ({ least, most }) => `the refresh interval is ${least} to ${most} whole minutes`,
  'group-below-itself': 'a group cannot be below itself',
  'default-group': 'the Default Group cannot be deleted',
  'policy-field': ({ field }) => `the service would not take the new value of: ${FIELD_LABELS[field]}`,
  'not-shown': ({ what }) => `the service does not say ${HIDDEN_FIELDS[what]}, so it could get lost`,
  'no-more-batches': 'the service takes no more batches',
});

const HIDDEN_FIELDS: Readonly<Record<HiddenField, string>> = {
  'device-group': 'which group the device is in',
  'device-exception': 'whether the device is an exception',
  'device-tags': 'which tags the device has',
  'device-name': 'which name the device was given',
  'group-name': 'the name of the group',
  'group-refresh-interval': 'the refresh interval of the group',
  'group-parent': 'the parent of the group',
  'policy-configuration': 'how the policy is configured',
};
