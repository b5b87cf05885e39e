/** Small parts of sentences about evidence. */
import type { ActionKind } from '../../../fleet/model/actions.ts';
import { NEEDS_REMEDIATION, PENDING, UP_TO_DATE } from '../../../fleet/model/policy-status.ts';
import type { ErrorFacts, Evidence, OfflineFacts } from '../../../store/port/evidence.ts';
import { escapeMrkdwn, escapeValue, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../../kit/escape.ts';
import { relativeDate } from '../../kit/timestamps.ts';
import { policyStatusText, withRest } from '../../text/common-text.ts';
import { heldText } from '../../text/service-error-text.ts';

/** A sentence, or two, for each kind of evidence. `action`: what was requested. */
export type EvidenceTable = {
  readonly [K in Evidence['kind']]: (
    evidence: Extract<Evidence, { readonly kind: K }>,
    action: ActionKind,
  ) => Mrkdwn;
};

/** Longest name inside a sentence. */
const MAX_NAME_LENGTH = 80;
/** How many names a sentence lists before it counts the rest. */
const MAX_LISTED_NAMES = 5;

export function nameText(name: string): Mrkdwn {
  return escapeMrkdwn(name, MAX_NAME_LENGTH);
}

export function quoted(text: string | null): Mrkdwn {
  return text === null ? md`nothing` : md`“${nameText(text)}”`;
}

/** `a, b and 3 more`. */
export function namesText(names: readonly string[], look = escapeValue): Mrkdwn {
  const shown = names.slice(0, MAX_LISTED_NAMES).map((name) => look(name, MAX_NAME_LENGTH));
  const more = names.length - shown.length;
  if (more > 0) return withRest(joinMrkdwn(shown, ', '), more);
  const last = shown.at(-1) ?? md``;
  return shown.length < 2 ? last : md`${joinMrkdwn(shown.slice(0, -1), ', ')} and ${last}`;
}

/** Another program's own words. */
export function quotation(words: string | null): Mrkdwn {
  return words === null ? md`` : md`: “${escapeMrkdwn(words, 300)}”`;
}

/** A policy inside a sentence: by its number, and by its name where that is known. */
export function policyText({ id, name }: { readonly id: number; readonly name: string | null }): Mrkdwn {
  return name === null || name === '' ? md`policy ${id}` : md`${escapeValue(name)} (policy ${id})`;
}

/** The same at the beginning of a sentence; a name stays as it is. */
export function policySubject(policy: { readonly id: number; readonly name: string | null }): Mrkdwn {
  return policy.name === null || policy.name === '' ? md`Policy ${policy.id}` : policyText(policy);
}

/** How a device stands with a policy, after its name. */
export function policyStatusPhrase(status: number | null): Mrkdwn {
  const result = policyStatusText(status);
  if (status === NEEDS_REMEDIATION) return result;
  return status === UP_TO_DATE || status === PENDING ? md`is ${result}` : md`has ${result}`;
}

export function exitCodeText(exitCode: number | null): Mrkdwn {
  return exitCode === null ? md`without an exit code` : md`with exit code ${exitCode}`;
}

/** What went wrong with a call that may have arrived, or with a look afterwards: it never says that nothing got there. */
export function lostAnswerText(error: ErrorFacts): Mrkdwn {
  const isCut = error.kind === 'unreachable' && error.held === null;
  if (isCut) return md`the connection ended before the management service answered`;
  return errorText(error, error.declined === true);
}

/** What went wrong with a call, without its address. `detail`: the service's own words, where they are wanted. */
export function errorText({ kind, status, detail, declined, held }: ErrorFacts, withDetail = false): Mrkdwn {
  if (held !== null) return trustedMrkdwn(heldText(held));
  const parts = [
    ...(status === null ? [] : [md`HTTP ${status}`]),
    ...(withDetail && detail !== '' ? [escapeMrkdwn(detail, 200)] : []),
  ];
  const [first, second] = parts;
  const words = trustedMrkdwn(declined === true ? DECLINED_TEXT : ERROR_TEXTS[kind]);
  if (first === undefined) return words;
  return second === undefined ? md`${words} (${first})` : md`${words} (${first}, ${second})`;
}

const ERROR_TEXTS: Readonly<Record<ErrorFacts['kind'], string>> = {
  unreachable: 'the management service could not be reached',
  timeout: 'the management service did not answer in time',
  unauthorized: 'the management service rejected the API key',
  forbidden: 'the management service does not allow this, or the target no longer exists',
  missing: 'the management service could not find the device',
  invalid: 'the management service rejected the request',
  throttled: 'the management service is limiting requests',
  broken: 'the management service had an error',
  unreadable: 'the management service’s answer could not be read',
  'too-large': 'the management service’s answer was too large',
};

const DECLINED_TEXT = 'the management service answered with an error';

/** That the device is offline and its command waits, as a sentence of its own. Empty: it is not. */
export function offlineSentence(offline: OfflineFacts): Mrkdwn {
  if (offline === null) return md``;
  return offline.since === null
    ? md` The device is offline${AND_RUNS}.`
    : md` The device has been offline since ${relativeDate(offline.since)}${AND_RUNS}.`;
}

const AND_RUNS = md` and runs the command as soon as it’s back online`;
