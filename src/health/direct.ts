/**
 * Tells of troubles that the database cannot remember: a message is looked for in Slack before it is posted, and edited
 * when the trouble is over.
 */
import { type Clock, HOUR, type Instant, later } from '../clock.ts';
import type { PersonId } from '../ids.ts';
import type { Asked } from '../slack/faults.ts';
import type { CardMessage, Place, SlackWeb } from '../slack/web.ts';
import { render } from '../views/render.ts';
import { type Found, OVER_MS } from './judge.ts';

export type Direct = {
  /** Tells each of them once, as long as it lasts; those that are not among them are over after a while. Never throws. */
  readonly tell: (troubles: readonly Found[], admins: () => Promise<readonly PersonId[]>) => Promise<void>;
};

/** What another replica, or we before a restart, told within this is not told again. */
const LOOK_BACK_MS = 6 * HOUR;

type Told = { readonly found: Found; seenAt: Instant; readonly places: Map<PersonId, Place> };

export function createDirect(
  web: Pick<SlackWeb, 'openDirect' | 'cardsInHistory' | 'post' | 'update'>,
  clock: Clock,
): Direct {
  const told = new Map<Found['key'], Told>();

  const noted = (found: Found): Told => {
    const known = told.get(found.key) ?? { found, seenAt: clock.now(), places: new Map() };
    known.seenAt = clock.now();
    told.set(found.key, known);
    return known;
  };
  /** Where it stands in somebody's direct messages, told now or before. */
  const tellOne = async (found: Found, person: PersonId): Promise<Asked<Place>> => {
    const direct = await web.openDirect(person);
    if (direct.kind !== 'ok') return direct;
    const [oldest, latest] = [later(clock.now(), -LOOK_BACK_MS), later(clock.now(), HOUR)];
    const lately = await web.cardsInHistory(direct.value, { oldest, latest, cursor: null });
    if (lately.kind !== 'ok') return lately;
    const message = messageOf(found, null);
    const before = lately.value.cards.find(({ key }) => key === message.metadata.event_payload['key']);
    if (before !== undefined) return { kind: 'ok', value: { channel: direct.value, ts: before.ts } };
    return web.post(direct.value, message);
  };
  /** Edits what was told; what Slack does not take now is edited at the next look. */
  const end = async ({ found, seenAt, places }: Told): Promise<void> => {
    for (const [person, place] of places) {
      const edited = await web.update(place, messageOf(found, seenAt));
      if (edited.kind === 'ok' || edited.kind === 'refused') places.delete(person);
    }
    if (places.size === 0) told.delete(found.key);
  };

  return {
    async tell(troubles, admins) {
      const people = troubles.length === 0 ? [] : await admins();
      for (const found of troubles) {
        const { places } = noted(found);
        for (const person of people) {
          if (places.has(person)) continue;
          const place = await tellOne(found, person);
          if (place.kind === 'ok') places.set(person, place.value);
        }
      }
      for (const one of [...told.values()]) {
        const lasts = troubles.some(({ key }) => key === one.found.key);
        if (!lasts && clock.now() >= later(one.seenAt, OVER_MS)) await end(one);
      }
    },
  };
}

/** One that is over has another key, so that it is not taken for news of the next time. */
function messageOf({ key, trouble, since }: Found, endedAt: Instant | null): CardMessage {
  const state = endedAt === null ? 'posted' : 'over';
  const name = endedAt === null ? `trouble:${key}` : `trouble:${key}:over`;
  const message = render({ kind: 'trouble', trouble, since, endedAt });
  return { ...message, metadata: { event_type: 'patchbay_card', event_payload: { key: name, state } } };
}
