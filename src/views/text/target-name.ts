/**
 * How a device of a request is named, in every list. Anybody may give a device another name without an approval, so what
 * cannot be changed stands beside a name that is not the hostname, that two devices share, or that is not plain.
 */
import { fold } from '../../lib/text.ts';
import type { TargetFacts } from '../../store/port/records.ts';
import type { RequestTarget } from '../../store/port/request-records.ts';
import {
  type bold,
  escapeMrkdwn,
  inlineCode,
  isHarmless,
  joinMrkdwn,
  type Mrkdwn,
  md,
  plainName,
} from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import type { UnrequestedTarget } from '../models/request-model.ts';

/** What is known of who it is: of a target or of its facts, or of a device that stays out. */
export type NamedTarget =
  | Pick<RequestTarget, 'displayName' | 'deviceId' | 'facts'>
  | TargetFacts
  | Omit<UnrequestedTarget, 'problem'>;

type Identity = Pick<RequestTarget, 'displayName' | 'deviceId'> & {
  /** Null: not known. */
  readonly hostname: string | null;
};

export function identityOf(target: NamedTarget): Identity {
  if (!('displayName' in target)) {
    const { name, deviceId = null, hostname = null } = target;
    return { displayName: name, deviceId, hostname };
  }
  const facts = 'facts' in target ? target.facts : target;
  const hostname = facts.deviceId !== null ? facts.hostname : null;
  return { displayName: target.displayName, deviceId: target.deviceId, hostname };
}

/** Another script may look like this one, and our own form of an ID must not be part of a name. */
function isPlainName(name: string): boolean {
  return /^[\x20-\x7E]+$/.test(name) && isHarmless(name) && !/#\d/.test(name);
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

/** What stands beside the name: the hostname where it differs, and the ID. Empty where the name alone is enough. */
function otherNames(target: NamedTarget, among: readonly NamedTarget[]): readonly string[] {
  const { displayName, hostname, deviceId } = identityOf(target);
  if (deviceId === null) return [];
  const differs = hostname !== null && hostname !== '' && hostname !== displayName;
  const isShared = (countNames(among).get(fold(displayName)) ?? 0) > 1;
  if (!differs && isPlainName(displayName) && !isShared) return [];
  return [...(differs ? [hostname] : []), `#${deviceId}`];
}

/** Such as ` (kiosk-07, #4007)` after the name of a device; empty where the name alone is enough. */
export function identitySuffix(target: NamedTarget, among: readonly NamedTarget[] = [target]): Mrkdwn {
  const others = otherNames(target, among).map((name) => escapeMrkdwn(name, DISPLAY_LIMIT.label));
  return others.length === 0 ? md`` : md` (${joinMrkdwn(others, ', ')})`;
}

/** The name and what else tells the device from others. */
export function targetName(
  target: NamedTarget,
  among: readonly NamedTarget[] = [target],
  look: typeof bold = escapeMrkdwn,
): Mrkdwn {
  const { displayName, deviceId } = identityOf(target);
  const isForged = /#\d|, | and /.test(displayName) && deviceId !== null;
  const name = (isForged ? inlineCode : look)(displayName, DISPLAY_LIMIT.label);
  return md`${name}${identitySuffix(target, among)}`;
}

/** The same without markup. */
export function plainTargetName(target: NamedTarget): string {
  const others = otherNames(target, [target]).map((name) => plainName(name));
  const name = plainName(identityOf(target).displayName);
  return others.length === 0 ? name : `${name} (${others.join(', ')})`;
}
