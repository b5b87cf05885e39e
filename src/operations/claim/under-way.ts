/** Allows one command of a kind at a time on a device, also while the queue does not show it. */

import { type FleetAction, isEdit } from '../../fleet/model/actions.ts';
import type { Instant } from '../../lib/clock.ts';
import type { TargetRecord, TargetState } from '../../store/port/records.ts';
import type { StoreTables } from '../../store/port/store.ts';
import { actionPhrase, pausedText, timePlaceholder } from '../evidence-text.ts';
import { targetNotSent } from './target.ts';

/**
 * Sent, or about to be, and not known to have had its effect: a device that took a reboot restarts a little later.
 * `ready` ones are judged when they are claimed.
 */
const STATES_UNDER_WAY: ReadonlySet<TargetState> = new Set([
  'issuing',
  'unknown',
  'accepted',
  'queued',
  'answered',
]);

export type ClaimRequest = {
  readonly command: FleetAction;
  readonly target: TargetRecord;
  readonly now: Instant;
  /** When it was asked for; a pause since then ends it. */
  readonly requestedAt: Instant;
};

/**
 * The claim, or the end of it: where changes are paused, or where the same command of another operation is under way
 * on the device, whose POST may not have arrived, so that the queue says nothing. Inside the transaction that writes
 * it. Targets of other states pass.
 */
export async function claimUnlessUnderWay(
  { operations, pause }: Pick<StoreTables, 'operations' | 'pause'>,
  { command, target, now, requestedAt }: ClaimRequest,
): Promise<TargetRecord> {
  if (target.state !== 'issuing') return target;
  const paused = await pause.lockAndRead(requestedAt);
  if (paused !== null) return targetNotSent(target, pausedText(paused), now);
  const open = await operations.openTargets(target.deviceId, command);
  const other = open.find(
    ({ operationId, state }) => operationId !== target.operationId && STATES_UNDER_WAY.has(state),
  );
  if (other === undefined) return target;
  const whose = target.deviceId === null ? '' : ' of this device';
  const what = `another ${actionPhrase(command, target.displayName)}${whose} has been in progress since ${timePlaceholder(other.issuedAt)}`;
  const why = isEdit(command) ? 'Two at once could undo each other' : 'A second one would also run';
  return targetNotSent(target, `${what}. ${why}`, now);
}
