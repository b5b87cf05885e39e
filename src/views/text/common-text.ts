/** Texts that several views share: states, commands, policies, names of targets, counts. */
import { isPolicyFacts, type TargetFacts } from '../../fleet/facts/facts.ts';
import {
  type CommandPolicy,
  changesRecord,
  type DeviceCommand,
  type FleetAction,
  type PatchEach,
} from '../../fleet/model/actions.ts';
import type { SeverityCount } from '../../fleet/model/derived-fields.ts';
import { NEEDS_REMEDIATION, PENDING, UP_TO_DATE } from '../../fleet/model/policy-status.ts';
import { byKind } from '../../lib/record-fields.ts';
import { fold, isPlainValue, joinWithAnd, lowerFirst } from '../../lib/text.ts';
import type { RequestTarget } from '../../store/port/request-records.ts';
import {
  type bold,
  escapeMrkdwn,
  escapeValue,
  inlineCode,
  isHarmless,
  joinMrkdwn,
  type Mrkdwn,
  md,
  plainName,
  singleLine,
  truncate,
  trustedMrkdwn,
} from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { type Labelled, SIGN } from '../kit/message.ts';
import type { CardState, UnrequestedTarget } from '../models/request-model.ts';

/** The name of each state, and its sign, which is never shown without the name. */
export const STATE_LABELS: Readonly<Record<CardState, Labelled>> = {
  waiting: { sign: SIGN.waiting, words: 'Waiting for approval' },
  denied: { sign: SIGN.failed, words: 'Denied' },
  expired: { sign: SIGN.ended, words: 'Expired' },
  withdrawn: { sign: SIGN.ended, words: 'Withdrawn' },
  accepted: { sign: SIGN.running, words: 'Accepted' },
  queued: { sign: SIGN.running, words: 'Queued' },
  answered: { sign: SIGN.running, words: 'Answered' },
  verified: { sign: SIGN.good, words: 'Verified' },
  not_verified: { sign: SIGN.warning, words: 'Not verified' },
  refused: { sign: SIGN.failed, words: 'Not accepted' },
  not_sent: { sign: SIGN.ended, words: 'Not sent' },
  not_needed: { sign: SIGN.ended, words: 'No longer needed' },
  unknown: { sign: SIGN.unknown, words: 'Outcome unknown' },
};

type PackagesWords = (names: readonly string[]) => string;

/** What people call an action, and the request for it. */
const actionPhrases = byKind<FleetAction, readonly [name: string, request: string], [PackagesWords]>({
  scan: ['Scan', 'Scan of'],
  reboot: ['Reboot', 'Reboot of'],
  'patch-all': installPhrases('all missing patches'),
  'patch-each': (command) => installPhrases(patchesText(command)),
  patch: ({ packages }, packagesWords) => installPhrases(packagesWords(packages)),
  'policy-test': (command) => [`Test ${policyTitle(command)}`, `Test of ${policyTitle(command)} on`],
  'policy-remediate': (command) => [
    `Remediate ${policyTitle(command)}`,
    `Remediation of ${policyTitle(command)} on`,
  ],
  'device-edit': ['Edit', 'Edit of'],
  'group-create': ['Create the group', 'Creation of the group'],
  'group-edit': ['Edit the group', 'Edit of the group'],
  'policy-create': ['Create the policy', 'Creation of the policy'],
  'policy-edit': ['Edit the policy', 'Edit of the policy'],
  'device-remove': ['Remove the device', 'Removal of the device'],
  'group-remove': ['Remove the group', 'Removal of the group'],
});

function installPhrases(what: string): readonly [string, string] {
  return [`Install ${what}`, `Installation of ${what} on`];
}

/** The name of a command, without its device. `packagesWords` says which packages are installed. */
export function commandTitle(command: DeviceCommand, packagesWords: PackagesWords): string {
  return actionPhrases(command, packagesWords)[0];
}

/** Such as `missing critical patches and openssl`: what was named is what an approver has to know. */
function patchesText({ chosen }: PatchEach): string {
  if (chosen === null) return 'all missing patches';
  const { severities, named } = chosen;
  const severe = severities.length === 0 ? [] : [`missing ${severities.join(' and ')} patches`];
  const names = named.slice(0, MAX_NAMED).map((name) => plainName(name));
  const left = named.length - names.length;
  const more = left === 0 ? [] : [left === 1 ? '1 more package' : `${left} more packages`];
  return joinWithAnd([...severe, ...names, ...more]);
}

const MAX_NAMED = 3;

function packageNameOrCount(packages: readonly string[]): string {
  const [only, ...others] = packages;
  return only !== undefined && others.length === 0
    ? plainName(only, DISPLAY_LIMIT.name)
    : `${packages.length} packages`;
}

/** A command as the beginning of a phrase that ends with the device's name, such as `Install openssl on`. */
export function commandPhrase(command: FleetAction): string {
  const name = commandName(command);
  return changesRecord(command) || command.kind === 'scan' || command.kind === 'reboot' ? name : `${name} on`;
}

/** Without a device's name after it, such as `Install openssl`. */
export function commandName(command: FleetAction): string {
  return actionPhrases(command, packageNameOrCount)[0];
}

/** The policy, cut so that the device's name still fits. */
function policyTitle({ policyId, policyName }: CommandPolicy): string {
  if (policyName === undefined) return `policy ${policyId}`;
  return `${plainName(policyName)} (policy ${policyId})`;
}

/** Command and devices in the middle of a sentence, such as `reboot web-01`. */
export function actionSentence(command: FleetAction, names: DeviceNames): Mrkdwn {
  return md`${escapeMrkdwn(lowerFirst(commandPhrase(command)), DISPLAY_LIMIT.name * 2)} ${deviceNamesText(names)}`;
}

/** Command and devices at the beginning of a sentence, such as `Reboot web-01`. */
export function actionTitle(command: FleetAction, names: DeviceNames): Mrkdwn {
  return md`${escapeMrkdwn(commandPhrase(command), DISPLAY_LIMIT.name * 2)} ${deviceNamesText(names)}`;
}

/** Command and devices as the subject of a sentence, such as `Reboot of web-01`. */
export function requestFor(command: FleetAction, names: DeviceNames): Mrkdwn {
  return md`${escapeMrkdwn(requestPhrase(command), DISPLAY_LIMIT.name * 2)} ${deviceNamesText(names)}`;
}

/** The same inside a sentence: `reboot of web-01`. */
export function requestedThing(command: FleetAction, names: DeviceNames): Mrkdwn {
  return md`${escapeMrkdwn(lowerFirst(requestPhrase(command)), DISPLAY_LIMIT.name * 2)} ${deviceNamesText(names)}`;
}

function requestPhrase(command: FleetAction): string {
  return actionPhrases(command, packageNameOrCount)[1];
}

/** The names of all devices, or how many they are. */
export type DeviceNames = readonly (string | NamedTarget)[] | number;

/** The name of a single device, or the number of several. */
function deviceNamesText(names: DeviceNames): Mrkdwn {
  if (typeof names === 'number') return countText(names, 'device');
  const [only, ...others] = names;
  if (only === undefined || others.length > 0) return md`${names.length} devices`;
  return typeof only === 'string' ? escapeValue(only) : targetName(only);
}

/** The first `max` items, escaped and separated by commas; the others are counted. */
export function listMrkdwn(items: readonly string[], max = 10): Mrkdwn {
  const first = items.slice(0, max).map((item) => escapeValue(item, DISPLAY_LIMIT.label));
  return withRest(joinMrkdwn(first, ', '), items.length - first.length);
}

/** The same for devices of a request, of which `total` are meant. */
export function listTargets(targets: readonly NamedTarget[], max: number, total = targets.length): Mrkdwn {
  const first = targets.slice(0, max);
  const names = first.map((one) => targetName(one, first));
  return withRest(joinMrkdwn(names, ', '), total - first.length);
}

/** The part of a list that is shown; the others are counted. */
export function withRest(shown: Mrkdwn, left: number): Mrkdwn {
  return left > 0 ? md`${shown} and ${left} more` : shown;
}

export function joinWithAndMrkdwn(items: readonly Mrkdwn[]): Mrkdwn {
  const last = items.at(-1) ?? md``;
  return items.length < 2 ? last : md`${joinMrkdwn(items.slice(0, -1), ', ')} and ${last}`;
}

/** A list of {@link listMrkdwn} as plain text, for places without markup. */
export function listPlain(items: readonly string[], max = 10): string {
  const first = items.slice(0, max).map((item) => plainName(item));
  return plainWithRest(first, items.length - first.length);
}

export function plainWithRest(shown: readonly string[], left: number): string {
  return left > 0 ? `${shown.join(', ')} and ${left} more` : shown.join(', ');
}

/** A policy's name with its ID, or the ID alone where the name is not known. */
export function policyNameText(id: number, name: string | null): Mrkdwn {
  return name === null || name === '' ? md`policy ${id}` : md`${escapeValue(name)} (policy ${id})`;
}

/** The type of a policy. Words that we do not know are shown unchanged. */
export function policyTypeText(type: string | null): Mrkdwn {
  switch (type) {
    case 'patch':
      return md`patch policy`;
    case 'custom':
      return md`worklet`;
    case 'required_software':
      return md`required software`;
    default:
      return type === null || type === '' ? md`unknown type` : escapeMrkdwn(type);
  }
}

export function intervalText(minutes: number): Mrkdwn {
  if (minutes === 1_440) return md`every day`;
  return minutes % 60 === 0 && minutes > 60
    ? md`every ${minutes / 60} hours`
    : md`every ${countText(minutes, 'minute')}`;
}

/** The result of a policy on a device. Numbers that we do not know are shown as they are. */
export function policyStatusText(status: number | null): Mrkdwn {
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

/** A number with its noun, such as `1 device` or `0 devices`. */
export function countText(number: number, one: string, many = `${one}s`): Mrkdwn {
  return trustedMrkdwn(`${number} ${number === 1 ? one : many}`);
}

/** Severities listed by name; the others are counted together. */
const KINDS = 6;

/** The service's word with spaces in place of underscores, and “CVEs” as people write it. */
export function severityText(severity: string): Mrkdwn {
  return escapeMrkdwn(severity.replaceAll('_', ' ').replace(/\bcves\b/, 'CVEs'), DISPLAY_LIMIT.label);
}

/** Such as `3 critical, 2 high, 1 without severity`. */
export function severityCountsText(counts: readonly SeverityCount[]): Mrkdwn {
  const listed = counts
    .slice(0, KINDS)
    .map(({ severity, count }) =>
      severity === null ? md`${count} without severity` : md`${count} ${severityText(severity)}`,
    );
  const left = counts.slice(KINDS).reduce((sum, { count }) => sum + count, 0);
  return joinMrkdwn(left === 0 ? listed : [...listed, md`${left} other`], ', ');
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'];

/** Such as `465 GB`: a KB is 1,024 bytes, as Windows counts. `size unknown` for null, negative and infinite. */
export function bytesText(size: number | null): Mrkdwn {
  if (size === null || !Number.isFinite(size) || size < 0) return md`size unknown`;
  if (size === 1) return md`1 byte`;
  const power = size < 1 ? 0 : Math.min(Math.floor(Math.log2(size) / 10), UNITS.length - 1);
  const number = size / 1_024 ** power;
  const rounded = number < 10 && power > 0 ? Math.round(number * 10) / 10 : Math.round(number);
  return trustedMrkdwn(`${rounded} ${UNITS[power] ?? ''}`);
}

/** A key in quotes, or a key with its value, and what follows it. */
const TYPED = /^(?:“(-?[a-z][a-z-]*:)”|(-?[a-z][a-z-]*:\S*[^\s.,;:]))([.,;:]?)$/;

const OURS = /[“”]|:$/g;

/** Word by word: two colons in one text would make all of it code. */
export function typedText(sentence: string, max: number = DISPLAY_LIMIT.sentence): Mrkdwn {
  const words = truncate(singleLine(sentence), max).split(' ');
  return joinMrkdwn(
    words.map((word) => {
      const [, key, part = key, end = ''] = TYPED.exec(word) ?? [];
      if (part !== undefined) return md`${inlineCode(part)}${trustedMrkdwn(end)}`;
      // The quotation marks and the colon at the end are ours.
      return isHarmless(word.replace(OURS, '')) ? trustedMrkdwn(word) : escapeMrkdwn(word);
    }),
    ' ',
  );
}

/** What is known of who it is: of a target or of its facts, or of a device that stays out. */
export type NamedTarget =
  | Pick<RequestTarget, 'displayName' | 'deviceId' | 'facts'>
  | TargetFacts
  | Omit<UnrequestedTarget, 'problem'>;

type Identity = Pick<RequestTarget, 'displayName'> & {
  /** Of the device, group or policy; null: not known, or not made yet. */
  readonly id: number | null;
  /** Null: not known. */
  readonly hostname: string | null;
};

export function identityOf(target: NamedTarget): Identity {
  if (!('displayName' in target)) {
    const { name, deviceId = null, hostname = null } = target;
    return { displayName: name, id: deviceId, hostname };
  }
  const facts = 'facts' in target ? target.facts : target;
  const hostname = facts.deviceId !== null ? facts.hostname : null;
  const id = facts.deviceId ?? (isPolicyFacts(facts) ? facts.policyId : facts.groupId);
  return { displayName: target.displayName, id, hostname };
}

/** How often each name is among them: counted once for a list, which may have thousands. */
const counted = new WeakMap<readonly NamedTarget[], ReadonlyMap<string, number>>();

function countNames(among: readonly NamedTarget[]): ReadonlyMap<string, number> {
  const known = counted.get(among);
  if (known !== undefined) return known;
  const alike = Map.groupBy(among, (one) => fold(identityOf(one).displayName));
  const counts = new Map([...alike].map(([name, targets]) => [name, targets.length]));
  counted.set(among, counts);
  return counts;
}

/** Such as ` (kiosk-07, #4007)`: the hostname where it differs, and the ID. Empty where the name alone is enough. */
function otherNames(
  target: NamedTarget,
  among: readonly NamedTarget[],
  look: (name: string) => string,
): string {
  const { displayName, hostname, id } = identityOf(target);
  const differs = hostname !== null && hostname !== '' && hostname !== displayName;
  const isShared = (countNames(among).get(fold(displayName)) ?? 0) > 1;
  // Another script may look like this one.
  const isPlain = /^[\x20-\x7E]+$/.test(displayName) && isHarmless(displayName) && isPlainValue(displayName);
  if (id === null || (!differs && isPlain && !isShared)) return '';
  return ` (${[...(differs ? [look(hostname)] : []), `#${id}`].join(', ')})`;
}

export function identitySuffix(target: NamedTarget, among: readonly NamedTarget[] = [target]): Mrkdwn {
  return trustedMrkdwn(otherNames(target, among, (name) => escapeValue(name, DISPLAY_LIMIT.label)));
}

/**
 * The name of a device of a request in every list, and what else tells it from others. Anybody may give a device another name
 * without an approval, so what cannot be changed stands beside a name that is not the hostname, that two devices share, or
 * that is not plain.
 */
export function targetName(
  target: NamedTarget,
  among: readonly NamedTarget[] = [target],
  look: typeof bold = escapeMrkdwn,
): Mrkdwn {
  const { displayName, id } = identityOf(target);
  // Our own form of an ID stands for a device that is not known.
  const isOurs = id === null && /^#\d+$/.test(displayName);
  const name = (isOurs ? look : escapeValue)(displayName, DISPLAY_LIMIT.label, look);
  return md`${name}${identitySuffix(target, among)}`;
}

/** The same without markup. */
export function plainTargetName(target: NamedTarget): string {
  return `${plainName(identityOf(target).displayName)}${otherNames(target, [target], plainName)}`;
}
