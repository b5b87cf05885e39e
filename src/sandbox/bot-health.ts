/** How the product's processes fare: what they wrote last, and how the last of them ended. */
import type { Clock } from '../clock.ts';

const KEPT_LINES = 40;
/** Longer lines are cut: they are for a person's eyes. */
const LONGEST_LINE = 500;

export type BotHealth = {
  /** Oldest first. */
  readonly lines: readonly { readonly at: number; readonly text: string }[];
  readonly lastExit: { readonly at: number; readonly how: string; readonly wanted: boolean } | null;
};
export type HealthRecord = {
  readonly read: () => BotHealth;
  readonly line: (text: string) => void;
  readonly exit: (exit: { readonly how: string; readonly wanted: boolean }) => void;
};

/** A record with nothing in it. */
export function createHealthRecord(clock: Pick<Clock, 'now'>): HealthRecord {
  let lines: BotHealth['lines'] = [];
  let lastExit: BotHealth['lastExit'] = null;
  return {
    read: () => ({ lines, lastExit }),
    line(text) {
      lines = [...lines, { at: clock.now(), text: text.slice(0, LONGEST_LINE) }].slice(-KEPT_LINES);
    },
    exit({ how, wanted }) {
      lastExit = { at: clock.now(), how, wanted };
    },
  };
}
