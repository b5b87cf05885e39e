/** When a rollout stops by itself: pure. */
import type { Brake } from './plan.ts';

/** A wave so far. `bad`: failed, not proved, or not come back; what was not sent is in neither. */
export type WaveTally = { readonly bad: number; readonly ended: number; readonly size: number };

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
