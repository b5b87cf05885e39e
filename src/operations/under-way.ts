/** One command of a kind at a time on a device: what the queue does not show yet, or no more, is known only here. */
import type { Instant } from '../clock.ts';
import { type FleetOrder, isEdit } from '../fleet/orders.ts';
import type { TargetRecord, TargetState } from '../store/records.ts';
import type { Tables } from '../store/store.ts';
import { unsent } from './target.ts';
import { commandText, pausedText, timeToken } from './words.ts';

/**
 * Sent, or about to be, and not known to have had its effect: a device that took a reboot restarts a little later.
 * `ready` ones are judged when they are claimed.
 */
const UNDER_WAY: ReadonlySet<TargetState> = new Set(['issuing', 'unknown', 'accepted', 'queued', 'answered']);

export type Claim = {
  readonly command: FleetOrder;
  readonly target: TargetRecord;
  readonly now: Instant;
  /** When it was asked for; a pause since then ends it. */
  readonly askedAt: Instant;
};

/**
 * The claim, or the end of it: where changes are paused, or where the same command of another operation is under way
 * on the device, whose POST may not have arrived, so that the queue says nothing. Inside the transaction that writes
 * it. Targets of other states pass.
 */
export async function unlessUnderWay(
  { operations, pause }: Pick<Tables, 'operations' | 'pause'>,
  { command, target, now, askedAt }: Claim,
): Promise<TargetRecord> {
  if (target.state !== 'issuing') return target;
  const paused = await pause.hold(askedAt);
  if (paused !== null) return unsent(target, pausedText(paused), now);
  const open = await operations.openTargets(target.deviceId, command);
  const other = open.find(
    ({ operationId, state }) => operationId !== target.operationId && UNDER_WAY.has(state),
  );
  if (other === undefined) return target;
  const whose = target.deviceId === null ? '' : ' of this device';
  const what = `another ${commandText(command, target.displayName)}${whose} has been in progress since ${timeToken(other.issuedAt)}`;
  const why = isEdit(command) ? 'Two at once could undo each other' : 'A second one would also run';
  return unsent(target, `${what}. ${why}`, now);
}
