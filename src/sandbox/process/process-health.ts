/** The last lines of the product's processes, and how the last of them ended. */
import type { Clock } from '../../lib/clock.ts';

const MAX_LINES = 40;
/** Longer lines are cut, because people read them. */
const MAX_LINE_LENGTH = 500;

export type ProcessHealth = {
  /** Oldest first. */
  readonly lines: readonly { readonly at: number; readonly text: string }[];
  readonly lastExit: { readonly at: number; readonly how: string; readonly wanted: boolean } | null;
};
export type ProcessHealthLog = {
  readonly read: () => ProcessHealth;
  readonly line: (text: string) => void;
  readonly exit: (exit: { readonly how: string; readonly wanted: boolean }) => void;
};

/** An empty log. */
export function createProcessHealthLog(clock: Pick<Clock, 'now'>): ProcessHealthLog {
  let lines: ProcessHealth['lines'] = [];
  let lastExit: ProcessHealth['lastExit'] = null;
  return {
    read: () => ({ lines, lastExit }),
    line(text) {
      lines = [...lines, { at: clock.now(), text: text.slice(0, MAX_LINE_LENGTH) }].slice(-MAX_LINES);
    },
    exit({ how, wanted }) {
      lastExit = { at: clock.now(), how, wanted };
    },
  };
}
