/**
 * How a device of a request is named, in every list. Anybody may give a device another name without an approval, so what
 * cannot be changed stands beside a name that is not the hostname, that two devices share, or that is not plain.
 */
import { isPolicyFacts, type TargetFacts } from '../../fleet/facts/facts.ts';
import { fold, isPlainValue } from '../../lib/text.ts';
import type { RequestTarget } from '../../store/port/request-records.ts';
import {
  type bold,
  escapeMrkdwn,
  escapeValue,
  isHarmless,
  type Mrkdwn,
  md,
  plainName,
  trustedMrkdwn,
} from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import type { UnrequestedTarget } from '../models/request-model.ts';

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

/** The name and what else tells the target from others. */
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
