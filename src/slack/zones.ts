/** People's time zones as Slack has them, asked now and then. */
import { type Clock, HOUR, type Instant, later } from '../clock.ts';
import { findZone } from '../commands/zones.ts';
import type { PersonId } from '../ids.ts';
import type { SlackWeb } from './web.ts';

/** People travel, but not within the hour. */
const FRESH_MS = HOUR;
const MOST_KEPT = 1_000;

/** Null where Slack has none that this runtime knows, or does not answer. */
export type ZoneOf = (person: PersonId) => Promise<string | null>;

export function createZones(web: Pick<SlackWeb, 'timeZone'>, clock: Clock): ZoneOf {
  const known = new Map<PersonId, { readonly zone: string | null; readonly until: Instant }>();
  return async (person) => {
    const before = known.get(person);
    if (before !== undefined && clock.now() < before.until) return before.zone;
    const answer = await web.timeZone(person);
    if (answer.kind !== 'ok') return before?.zone ?? null;
    const found = answer.value === null ? null : findZone(answer.value);
    const zone = found?.kind === 'zone' ? found.zone : null;
    if (known.size >= MOST_KEPT) known.clear();
    known.set(person, { zone, until: later(clock.now(), FRESH_MS) });
    return zone;
  };
}
