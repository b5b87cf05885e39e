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
type TriggerError = 'invalid_trigger_id' | 'expired_trigger_id' | 'exchanged_trigger_id';
type TriggerExchange =
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

/** docs.slack.dev/interactivity/handling-user-interaction */
const LIFETIME_MS = 30 * MINUTE;
const MAX_USES = 5;

export type ResponseUrlGrant = {
  /** Part of the address: for a command, an element, or a message shortcut. */
  readonly kind: 'commands' | 'actions' | 'app';
  readonly channel: string;
  readonly user: string;
  /** The bot's message that may be replaced, or the one with `unfurl`; null for a command and for a shortcut on a person's message. */
  readonly original: string | null;
  /** The link whose content has the element that was used; the message is a person's. */
  readonly unfurl?: string;
};
type ResponseUrlUse =
  | { readonly ok: true; readonly right: ResponseUrlGrant; readonly spend: () => void }
  | { readonly ok: false; readonly error: 'expired_url' | 'used_url' };

export type ResponseUrls = Readonly<ReturnType<typeof createResponseUrls>>;

type MintedUrl = { readonly right: ResponseUrlGrant; readonly at: Instant; uses: number };
type ResponseUrlOptions = {
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
  readonly teamId: string;
  /** The workspace's address; known only once it listens. */
  readonly origin: () => string;
};

/** Response URLs: each lets the bot answer one interaction, five times within half an hour. */
export function createResponseUrls({ clock, ids, teamId, origin }: ResponseUrlOptions) {
  const minted = new Map<string, MintedUrl>();
  const isOver = ({ at }: MintedUrl) => clock.now() > later(at, LIFETIME_MS);
  const forget = () => {
    for (const [path, entry] of minted) {
      if (!isOver(entry)) return;
      minted.delete(path);
    }
  };
  return {
    mint(right: ResponseUrlGrant): string {
      forget();
      const path = `/${right.kind}/${teamId}/${ids.number()}/${ids.secret()}`;
      minted.set(path, { right, at: clock.now(), uses: 0 });
      return origin() + path;
    },
    /** Which responses the path of a response URL allows. */
    find(path: string): ResponseUrlUse {
      const entry = minted.get(path);
      if (!entry || isOver(entry)) return { ok: false, error: 'expired_url' };
      if (entry.uses >= MAX_USES) return { ok: false, error: 'used_url' };
      return {
        ok: true,
        right: entry.right,
        spend: () => {
          entry.uses += 1;
        },
      };
    },
    reset: () => minted.clear(),
  };
}
