/** How the product's processes fare: what they wrote last, and how the last of them ended. */
import type { Clock } from '../../lib/clock.ts';

const MAX_LINES = 40;
/** Longer lines are cut: they are for a person's eyes. */
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

/** A record with nothing in it. */
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
