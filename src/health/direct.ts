/** Tells of troubles that the database cannot remember: a message is looked for in Slack before it is posted. */
import { type Clock, HOUR, later } from '../clock.ts';
import type { PersonId } from '../ids.ts';
import type { SlackWeb } from '../slack/web.ts';
import { render } from '../views/render.ts';
import type { Found } from './judge.ts';

export type Direct = {
  /** Tells each of them once, as long as it lasts; those that are not among them are over. Never throws. */
  readonly tell: (troubles: readonly Found[], admins: () => Promise<readonly PersonId[]>) => Promise<void>;
};

/** What another replica, or we before a restart, told within this is not told again. */
const LOOK_BACK_MS = 6 * HOUR;

export function createDirect(
  web: Pick<SlackWeb, 'openDirect' | 'cardsInHistory' | 'post'>,
  clock: Clock,
): Direct {
  /** Whom this process told of what. */
  const told = new Map<string, Set<PersonId>>();
  /** What was over here and came back: then a message of before says nothing of it. */
  const ended = new Set<string>();

  const tellOne = async ({ key, trouble, since }: Found, person: PersonId): Promise<boolean> => {
    const direct = await web.openDirect(person);
    if (direct.kind !== 'ok') return false;
    const name = `trouble:${key}`;
    if (!ended.has(key)) {
      const lately = {
        oldest: later(clock.now(), -LOOK_BACK_MS),
        latest: later(clock.now(), HOUR),
        cursor: null,
      };
      const found = await web.cardsInHistory(direct.value, lately);
      if (found.kind !== 'ok') return false;
      if (found.value.cards.some((card) => card.key === name)) return true;
    }
    const message = render({ kind: 'trouble', trouble, since, endedAt: null });
    const metadata = { event_type: 'patchbay_card', event_payload: { key: name, state: 'posted' } };
    const posted = await web.post(direct.value, { ...message, metadata });
    return posted.kind === 'ok';
  };

  return {
    async tell(troubles, admins) {
      for (const key of told.keys()) {
        if (troubles.some((one) => one.key === key)) continue;
        told.delete(key);
        ended.add(key);
      }
      if (troubles.length === 0) return;
      const people = await admins();
      for (const trouble of troubles) {
        const known = told.get(trouble.key) ?? new Set();
        told.set(trouble.key, known);
        for (const person of people)
          if (!known.has(person) && (await tellOne(trouble, person))) known.add(person);
      }
    },
  };
}
