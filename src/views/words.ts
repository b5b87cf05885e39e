/** Commands, states and small facts in words. */
import type { CommandPolicy, FleetCommand } from '../fleet/model.ts';
import type { FleetOrder } from '../fleet/orders.ts';
import { NEEDS_REMEDIATION, PENDING, UP_TO_DATE } from '../fleet/standing.ts';
import { systemName } from '../fleet/system.ts';
import type { PolicyId } from '../ids.ts';
import { lowerFirst } from '../text.ts';
import { cut, literal, type Mrkdwn, md, oneLine, plain, trusted } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { SIGN, type Sign } from './kit/signs.ts';
import type { CardState } from './model.ts';

/** The one vocabulary of states, for people. */
export const STATE_WORDS: Readonly<Record<CardState, string>> = {
  waiting: 'Waiting for approval',
  denied: 'Denied',
  expired: 'Expired',
  withdrawn: 'Withdrawn',
  accepted: 'Accepted',
  queued: 'Queued',
  answered: 'Answered',
  verified: 'Verified',
  not_verified: 'Not verified',
  refused: 'Not accepted',
  not_sent: 'Not sent',
  unknown: 'Unknown',
};

/** One sign for each state, always beside its word. */
export const STATE_SIGNS: Readonly<Record<CardState, Sign>> = {
  waiting: SIGN.waiting,
  denied: SIGN.failed,
  expired: SIGN.ended,
  withdrawn: SIGN.ended,
  accepted: SIGN.running,
  queued: SIGN.running,
  answered: SIGN.running,
  verified: SIGN.good,
  not_verified: SIGN.warning,
  refused: SIGN.failed,
  not_sent: SIGN.ended,
  unknown: SIGN.unknown,
};

/** A state with its sign: the first words of a card. */
export function stateLabel(state: CardState): string {
  return `${STATE_SIGNS[state]} ${STATE_WORDS[state]}`;
}

/** A command by itself. `packagesWords` says what is installed. */
export function commandName(
  command: FleetCommand,
  packagesWords: (names: readonly string[]) => string = nameOrCount,
): string {
  switch (command.kind) {
    case 'scan':
      return 'Scan';
    case 'reboot':
      return 'Reboot';
    case 'patch-all':
      return 'Install all missing patches';
    case 'patch':
      return `Install ${packagesWords(command.packages)}`;
    case 'policy-test':
      return `Test ${policyOf(command)}`;
    case 'policy-remediate':
      return `Remediate ${policyOf(command)}`;
  }
}

function nameOrCount(packages: readonly string[]): string {
  const [only, ...others] = packages;
  return only !== undefined && others.length === 0 ? only : `${packages.length} packages`;
}

/** An order as the beginning of a phrase that the name of what it is about ends, such as `Install openssl on`. */
export function commandWords(command: FleetOrder): string {
  switch (command.kind) {
    case 'scan':
    case 'reboot':
      return commandName(command);
    case 'patch-all':
    case 'patch':
    case 'policy-test':
    case 'policy-remediate':
      return `${commandName(command)} on`;
    case 'device-edit':
      return 'Edit';
    case 'group-create':
      return 'Create the group';
    case 'group-edit':
      return 'Edit the group';
  }
}

/** Short enough to leave room for the device. */
function policyOf({ policyId, policyName }: CommandPolicy): string {
  if (policyName === undefined) return `policy ${policyId}`;
  return `${cut(oneLine(policyName), SHOWN.label)} (policy ${policyId})`;
}

/** The same in the middle of a sentence, as plain text. */
export function toDo(command: FleetOrder): string {
  return lowerFirst(commandWords(command));
}

/** What is asked for and of what, in the middle of a sentence. */
export function deed(command: FleetOrder, names: readonly string[]): Mrkdwn {
  return md`${literal(toDo(command), SHOWN.name * 2)} ${devicesNamed(names)}`;
}

/** The same at the beginning of one. */
export function deedTitle(command: FleetOrder, names: readonly string[]): Mrkdwn {
  return md`${literal(commandWords(command), SHOWN.name * 2)} ${devicesNamed(names)}`;
}

/** The request for an order as the subject of a sentence. */
export function requestFor(command: FleetOrder, names: readonly string[]): Mrkdwn {
  return md`${literal(requestWords(command), SHOWN.name * 2)} ${devicesNamed(names)}`;
}

function requestWords(command: FleetOrder): string {
  switch (command.kind) {
    case 'scan':
      return 'Scan of';
    case 'reboot':
      return 'Reboot of';
    case 'patch-all':
      return 'Installation of all missing patches on';
    case 'patch':
      return `Installation of ${nameOrCount(command.packages)} on`;
    case 'policy-test':
      return `Test of ${policyOf(command)} on`;
    case 'policy-remediate':
      return `Remediation of ${policyOf(command)} on`;
    case 'device-edit':
      return 'Edit of';
    case 'group-create':
      return 'Creation of the group';
    case 'group-edit':
      return 'Edit of the group';
  }
}

/** One device by name, several by number. */
function devicesNamed(names: readonly string[]): Mrkdwn {
  const [only, ...others] = names;
  return only !== undefined && others.length === 0 ? literal(only) : md`${names.length} devices`;
}

/** A list of somebody's words, the first few in full. */
export function listed(items: readonly string[], shown = 10): Mrkdwn {
  const first = items.slice(0, shown).map((item) => literal(item, SHOWN.label));
  const left = items.length - first.length;
  return trusted(left > 0 ? `${first.join(', ')} and ${left} more` : first.join(', '));
}

/** The same where there is no markup. */
export function listedPlain(items: readonly string[], shown = 10): string {
  const first = items.slice(0, shown).map((item) => plain(item, SHOWN.label));
  const left = items.length - first.length;
  return left > 0 ? `${first.join(', ')} and ${left} more` : first.join(', ');
}

/** A policy by its number, and by its name where that is known, as titles of cards have it. */
export function policyWords(id: PolicyId, name: string | null): Mrkdwn {
  return name === null || name === '' ? md`policy ${id}` : md`${literal(name)} (policy ${id})`;
}

/** What kind of policy it is; a newer word is shown as it came. */
export function policyType(type: string | null): Mrkdwn {
  switch (type) {
    case 'patch':
      return md`patch policy`;
    case 'custom':
      return md`worklet`;
    case 'required_software':
      return md`required software`;
    default:
      return known(type, 'unknown type');
  }
}

/** An interval given in minutes, in the middle of a sentence. */
export function every(minutes: number): Mrkdwn {
  if (minutes === 1_440) return md`every day`;
  return minutes % 60 === 0 && minutes > 60
    ? md`every ${minutes / 60} hours`
    : md`every ${count(minutes, 'minute')}`;
}

/** How a device stands with a policy. */
export function standingWords(status: number | null): Mrkdwn {
  switch (status) {
    case NEEDS_REMEDIATION:
      return md`needs remediation`;
    case UP_TO_DATE:
      return md`up to date`;
    case PENDING:
      return md`pending`;
    case null:
      return md`no result`;
    default:
      return md`status ${status}`;
  }
}

/** What the service said, or that it said nothing. */
export function known(text: string | null, otherwise = 'Not stated'): Mrkdwn {
  return text === null || text === '' ? trusted(otherwise) : literal(text);
}

export function yesNo(value: boolean | null): Mrkdwn {
  if (value === null) return md`Not stated`;
  return value ? md`Yes` : md`No`;
}

/** One and many, such as `1 device`, `0 devices`. */
export function count(number: number, one: string, many = `${one}s`): Mrkdwn {
  return trusted(`${number} ${number === 1 ? one : many}`);
}

/** Operating system with its version, as far as it is stated. */
export function system(device: Parameters<typeof systemName>[0]): Mrkdwn {
  return known(systemName(device));
}
