/**
 * Judges one followed command by what the service shows now: pure. Each state stands on evidence: `accepted` (the
 * service said so), `queued` (its entry is in the queue), `answered` (the entry was answered or left), `verified`
 * (the device shows the effect). A fast device may skip some. What is not proven in time is said to be unknown.
 */
import type { Instant } from '../clock.ts';
import type { Device, FleetCommand, FleetEvent, Package, QueueEntry } from '../fleet/model.ts';
import { policyOf } from '../fleet/standing.ts';
import { storedExitCode } from '../fleet/stored-answer.ts';
import type { TargetRecord } from '../store/records.ts';
import { effect } from './effect.ts';
import { answeredText } from './response.ts';
import { movedDeadline } from './schedule.ts';
import { type Trace, trace } from './trace.ts';
import { timeToken } from './words.ts';

export type Sight = {
  readonly command: FleetCommand;
  readonly target: TargetRecord;
  readonly queue: readonly QueueEntry[];
  /** Null: the service does not know it any more. */
  readonly device: Device | null;
  /** Null where they were not read. */
  readonly packages: readonly Package[] | null;
  readonly events: readonly FleetEvent[];
  readonly now: Instant;
};

export type Verdict = { readonly kind: 'same' } | { readonly kind: 'move'; readonly next: TargetRecord };

export function judge(sight: Sight): Verdict {
  const { target } = sight;
  if (!isFollowed(target)) return { kind: 'same' };
  const next = sight.device === null ? gone(target, sight.now) : conclude(sight, sight.device);
  return unchanged(target, next) ? { kind: 'same' } : { kind: 'move', next };
}

/** Whether there is something to find out: it was sent, as far as we know, and is not ended. */
export function isFollowed({ state, endedAt }: TargetRecord): boolean {
  return endedAt === null && state !== 'ready' && state !== 'issuing';
}

function conclude(sight: Sight, device: Device): TargetRecord {
  const { now } = sight;
  const traced = trace({ ...sight, device });
  const deadlineAt = movedDeadline(traced.target, device.connected, now);
  const seen = { ...traced.target, deadlineAt };
  if (traced.place === 'missed') return seen;
  if (traced.place === 'waits')
    return now < deadlineAt ? seen : timedOut(seen, { device, traced, missing: '', now });
  const found = effect({ ...sight, device, target: seen });
  switch (found.kind) {
    case 'proven':
      return proven(seen, { evidence: found.evidence, command: sight.command, now });
    case 'failed':
      return { ...seen, state: 'not_verified', endedAt: now, evidence: found.evidence };
    case 'open':
      if (now >= deadlineAt) return timedOut(seen, { device, traced, missing: found.missing, now });
      return seen.state === 'unknown' ? seen : { ...seen, evidence: `${traced.said} ${found.missing}` };
  }
}

/** Where nothing says that the device got the command, somebody else may have caused the effect: that proves nothing. */
function proven(target: TargetRecord, { evidence: effect, command, now }: Proof): TargetRecord {
  if (target.state === 'unknown') {
    const endedAt = now < target.deadlineAt ? null : now;
    return { ...target, endedAt, evidence: `${effect} ${NOT_OURS_FOR_CERTAIN}` };
  }
  // The proof of a policy's run states the exit code of the run itself.
  const isStated = policyOf(command) !== null || storedExitCode(target.response) === null;
  const evidence = isStated ? effect : `${answeredText(target.response)} ${effect}`;
  return { ...target, state: 'verified', endedAt: now, evidence };
}

type Proof = { readonly evidence: string; readonly command: FleetCommand; readonly now: Instant };

const NOT_OURS_FOR_CERTAIN =
  'The effect is there, but maybe not from this command: its answer was lost. It was not sent again.';

type Ending = {
  readonly device: Device;
  readonly traced: Trace;
  readonly missing: string;
  readonly now: Instant;
};

function timedOut(target: TargetRecord, { device, traced, missing, now }: Ending): TargetRecord {
  if (target.state === 'unknown') return { ...target, endedAt: now, evidence: STAYS_UNKNOWN };
  const evidence =
    traced.place === 'waits'
      ? stillQueued(device)
      : `${traced.said} Couldn’t confirm that it ran. ${missing}`;
  return { ...target, state: 'not_verified', endedAt: now, evidence };
}

const STAYS_UNKNOWN =
  'The answer to the command was lost, and no queue entry could be matched to it. The device may or may not have received it. It was not sent again.';

function stillQueued(device: Device): string {
  return `Still in the device’s queue when Patchbay stopped checking.${offlineNow(device)} A queued command can’t be canceled, so it may still run.`;
}

function offlineNow({ connected, lastDisconnectTime }: Device): string {
  if (connected !== false) return '';
  return lastDisconnectTime === null
    ? ' The device is offline.'
    : ` The device has been offline since ${timeToken(lastDisconnectTime)}.`;
}

function gone(target: TargetRecord, now: Instant): TargetRecord {
  const evidence = 'The device no longer exists in the management service, so nothing can be verified.';
  return {
    ...target,
    state: target.state === 'unknown' ? 'unknown' : 'not_verified',
    endedAt: now,
    evidence,
  };
}

function unchanged(before: TargetRecord, after: TargetRecord): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}
