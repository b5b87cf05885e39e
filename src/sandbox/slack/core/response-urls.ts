/** Response URLs: each lets the bot answer one interaction, five times within half an hour. */
import { type Clock, type Instant, later, MINUTE } from '../../../lib/clock.ts';
import type { Ids } from './ids.ts';

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
export type ResponseUrlUse =
  | { readonly ok: true; readonly right: ResponseUrlGrant; readonly spend: () => void }
  | { readonly ok: false; readonly error: 'expired_url' | 'used_url' };

export type ResponseUrls = Readonly<ReturnType<typeof createResponseUrls>>;

type MintedUrl = { readonly right: ResponseUrlGrant; readonly at: Instant; uses: number };
export type ResponseUrlOptions = {
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: Ids;
  readonly teamId: string;
  /** The workspace's address; known only once it listens. */
  readonly origin: () => string;
};

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
