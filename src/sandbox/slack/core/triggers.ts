/**
 * Trigger ids: each lets the bot open one modal for a person who has just acted. They have three parts, two of them
 * numbers (docs.slack.dev/reference/methods/views.open, invalid_trigger_id).
 */
import { type Clock, type Instant, later, MINUTE, SECOND } from '../../../lib/clock.ts';
import type { Ids } from './ids.ts';

/** docs.slack.dev/interactivity/handling-user-interaction */
const TRIGGER_LIFE_MS = 3 * SECOND;
/** Used ids are remembered for a while, so that their error is "used" and not "unknown". */
const MEMORY_MS = 10 * MINUTE;

export type Trigger = {
  readonly user: string;
  /** The modal in which the person acted. */
  readonly view: string | null;
};
export type TriggerError = 'invalid_trigger_id' | 'expired_trigger_id' | 'exchanged_trigger_id';
export type TriggerExchange =
  | { readonly ok: true; readonly trigger: Trigger }
  | { readonly ok: false; readonly error: TriggerError };

export type Triggers = Readonly<ReturnType<typeof createTriggers>>;

type MintedTrigger = { readonly trigger: Trigger; readonly at: Instant; isUsed: boolean };

export function createTriggers(clock: Pick<Clock, 'now'>, ids: Ids) {
  const minted = new Map<string, MintedTrigger>();
  const forget = () => {
    for (const [id, { at }] of minted) {
      if (clock.now() <= later(at, MEMORY_MS)) return;
      minted.delete(id);
    }
  };
  return {
    mint(trigger: Trigger): string {
      forget();
      const id = `${ids.number()}.${ids.number()}.${ids.secret()}`;
      minted.set(id, { trigger, at: clock.now(), isUsed: false });
      return id;
    },
    /** Uses the trigger, once. */
    exchange(id: string): TriggerExchange {
      const found = minted.get(id);
      if (!found) return { ok: false, error: 'invalid_trigger_id' };
      if (found.isUsed) return { ok: false, error: 'exchanged_trigger_id' };
      if (clock.now() > later(found.at, TRIGGER_LIFE_MS)) return { ok: false, error: 'expired_trigger_id' };
      found.isUsed = true;
      return { ok: true, trigger: found.trigger };
    },
    reset: () => minted.clear(),
  };
}
