/** When a rollout stops by itself: pure. */
import type { Brake } from './plan.ts';

/** A wave so far. `bad`: failed, not proved, or not come back. What was not sent is in none of them. */
export type WaveTally = { readonly bad: number; readonly ended: number; readonly size: number };

/** How many devices of a wave are in which state; `open` ones have not ended. */
export type WaveCounts = {
  readonly total: number;
  readonly open: number;
  readonly verified: number;
  readonly notSent: number;
};

/** Whatever ended otherwise than proved or not sent went wrong. */
export function tallyOf({ total, open, verified, notSent }: WaveCounts): WaveTally {
  const ended = total - open - notSent;
  return { bad: ended - verified, ended, size: total - notSent };
}

/** A share of fewer devices says little, unless they are all there are. Our own figure. */
const MIN_ENDED_FOR_SHARE = 10;

/** Whether no further device may be sent. Judged at each end. */
export function isBraked(brake: Brake, { bad, ended, size }: WaveTally): boolean {
  switch (brake.kind) {
    case 'devices':
      return bad >= brake.devices;
    case 'share':
      return bad > 0 && ended >= Math.min(MIN_ENDED_FOR_SHARE, size) && bad * 100 >= brake.percent * ended;
  }
}

/**
 * Whether a wave that is over proves nothing: of the devices it was sent to, if any, none ended verified. A wave of
 * which all were left out was no trial either.
 */
export function isUnproven({ verified }: WaveCounts): boolean {
  return verified === 0;
}

/** Whether so many of the devices of a wave changed since they were approved that its approvers should see it. */
export function isDriftTooLarge(
  brake: Brake,
  { drifted, checked }: { readonly drifted: number; readonly checked: number },
): boolean {
  return brake.kind === 'devices' ? drifted > brake.devices : drifted * 100 > brake.percent * checked;
}
