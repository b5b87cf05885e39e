/** The devices that stay out of a request, and why: a reason that several of them share is stated once. */
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import { bold, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import type { Problem } from '../models/problem-model.ts';
import type { UnrequestedTarget } from '../models/request-model.ts';
import { problemText } from '../problems/problem-text.ts';
import { listMrkdwn } from '../text/common-text.ts';

/** Reasons that differ by nothing but the device. */
const SHARED_REASONS: Readonly<Partial<Record<Problem['kind'], string>>> = {
  'nothing-to-install': 'No missing patches',
  'none-missing': 'Not missing these packages',
  'device-packages-unread': 'Packages couldn’t be read',
  'device-gone': 'No longer in the fleet',
  'already-so': 'Already have these values',
  // Of one request, which has one policy.
  'policy-not-for': 'The policy can’t run there',
};
/** Names listed for each reason. */
const MAX_NAMES = 8;

/** A row for each reason, the most common first. */
export function leftOutRows(leftOut: readonly UnrequestedTarget[]): readonly Mrkdwn[] {
  const byReason = Map.groupBy(leftOut, ({ problem: { kind } }) => SHARED_REASONS[kind]);
  return [...byReason]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .flatMap(([reason, devices]) =>
      reason === undefined || devices.length === 1 ? devices.map(leftOutRow) : [sharedRow(reason, devices)],
    );
}

function sharedRow(reason: string, devices: readonly UnrequestedTarget[]): Mrkdwn {
  const names = devices.map(({ name }) => name);
  return md`${trustedMrkdwn(reason)} (${devices.length}): ${listMrkdwn(names, MAX_NAMES)}`;
}

/** Why this one stays out. */
export function leftOutRow({ name, problem }: UnrequestedTarget): Mrkdwn {
  return md`${bold(name)}: ${problemText(problem, ROOT_COMMAND).what}`;
}
