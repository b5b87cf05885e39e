/** Words for evidence, which is stored and shown later: foreign text is cut here and escaped when it is drawn. */

import type { FleetError } from '../fleet/fleet.ts';
import type { FleetAction } from '../fleet/model/actions.ts';
import { NEEDS_REMEDIATION, PENDING, UP_TO_DATE } from '../fleet/model/policy-status.ts';
import type { CommandPolicy } from '../fleet/model/resources.ts';
import { exitCodeOfStored } from '../fleet/queue-entries.ts';
import type { Instant } from '../lib/clock.ts';
import type { PolicyId } from '../lib/ids.ts';
import type { PauseRecord } from '../store/port/settings-records.ts';

/** Longest quotation of a device's or an agent's words. */
export const MAX_QUOTE_LENGTH = 300;
/** Longest name inside a sentence. */
const MAX_NAME_LENGTH = 80;
/** How many names a sentence lists before it counts the rest. */
const MAX_LISTED_NAMES = 5;

/** `text` on one line, cut to `length` characters with a visible mark. */
export function clip(text: string, length: number): string {
  const setup = Array.from(text.replaceAll(/\s+/g, ' ').trim());
  return setup.length <= length ? setup.join('') : `${setup.slice(0, length - 1).join('')}…`;
}

/** A name inside a sentence. */
export function nameText(name: string): string {
  return clip(name, MAX_NAME_LENGTH);
}

/** `a, b and 3 more`. */
export function listText(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED_NAMES).map(nameText);
  const more = names.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  const last = shown.at(-1) ?? '';
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
}

/** A time inside evidence, which is stored once and read in every time zone: whoever shows it draws it. */
export function timePlaceholder(at: Instant): string {
  return `@{${at}}`;
}

/** That changes are paused, and why: the middle of a sentence. The pause's own card names the person. */
export function pausedText({ since, reason, endedAt }: PauseRecord): string {
  const why = reason === null ? '' : ` (reason: ${clip(reason, MAX_REASON_LENGTH)})`;
  return endedAt === null
    ? `all changes have been paused since ${timePlaceholder(since)}${why}`
    : `all changes were paused from ${timePlaceholder(since)} to ${timePlaceholder(endedAt)}${why}`;
}

/** Of what a person wrote, in a sentence. */
const MAX_REASON_LENGTH = 200;

/** Why nothing is sent to a target that no longer exists: the end of a sentence. */
export function targetGoneText({ kind }: Pick<FleetAction, 'kind'>): string {
  const thing = kind === 'group-create' || kind === 'group-edit' ? 'group' : 'device';
  return `the ${thing} no longer exists in the management service`;
}

/** The order as the subject or object of a sentence; `group`: the name of the group that it is about, where known. */
export function actionPhrase(command: FleetAction, group: string | null = null): string {
  switch (command.kind) {
    case 'scan':
      return 'scan';
    case 'reboot':
      return 'reboot';
    case 'patch-all':
      return 'installation of all patches';
    case 'patch':
      return `installation of ${listText(command.packages)}`;
    case 'policy-test':
      return `test of ${policyPhraseOf(command)}`;
    case 'policy-remediate':
      return `remediation of ${policyPhraseOf(command)}`;
    case 'device-edit':
      return 'edit';
    case 'group-create':
      return `creation of the group ${nameText(command.group.name)}`;
    case 'group-edit':
      return group === null || group === ''
        ? `edit of the group #${command.groupId}`
        : `edit of the group ${nameText(group)} (#${command.groupId})`;
  }
}

function policyPhraseOf({ policyId, policyName = '' }: CommandPolicy): string {
  return policyPhrase(policyId, policyName);
}

/** A policy inside a sentence: by its number, and by its name where that is known, as the title of its card has it. */
export function policyPhrase(id: PolicyId, name: string | null): string {
  return name === null || name === '' ? `policy ${id}` : `${nameText(name)} (policy ${id})`;
}

/** How a device stands with a policy, after its name. */
export function policyStatusPhrase(status: number | null): string {
  switch (status) {
    case NEEDS_REMEDIATION:
      return 'needs remediation';
    case UP_TO_DATE:
      return 'is up to date';
    case PENDING:
      return 'is pending';
    case null:
      return 'has no result';
    default:
      return `has status ${status}`;
  }
}

/** What went wrong with a call, without its address or body. `detail`: the service's own words, where they are wanted. */
export function errorText(error: FleetError, detail = ''): string {
  if (error.held === true) return `Patchbay held this back: ${error.detail}`;
  const status = error.status === null ? '' : `HTTP ${error.status}`;
  const more = [status, detail].filter((part) => part !== '').join(', ');
  return more === '' ? ERROR_TEXTS[error.kind] : `${ERROR_TEXTS[error.kind]} (${more})`;
}

const ERROR_TEXTS: Readonly<Record<FleetError['kind'], string>> = {
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

/** A device's answer as evidence. `stored`: null where the entry left the queue without an answer. */
export function answeredText(stored: string | null): string {
  if (stored === null) return 'The command left the device’s queue. No answer was seen.';
  const exitCode = exitCodeOfStored(stored);
  return exitCode === null ? 'The device answered.' : `The device answered with exit code ${exitCode}.`;
}
