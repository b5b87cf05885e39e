/** Reads the newest events down to what has been known for a while. */
import { DAY, type Instant, later } from '../clock.ts';
import { FleetFailure, type FleetReader, type Page } from '../fleet/fleet.ts';
import type { FleetEvent } from '../fleet/model.ts';
import type { EventId } from '../ids.ts';
import { createSurvey, type Found, type Survey } from './survey.ts';

/** Rows of the first request: a quiet poll is this one alone. */
const FIRST_PAGE = 100;
/** Rows of each request once the first showed that we are behind: the most that the service gives (§8). */
const NEXT_PAGES = 500;

/** What the store knows about ids. */
export type Known = {
  /** Taken in so long ago that all that will be listed below it was listed by now; or history. */
  readonly settled: (id: EventId) => Promise<boolean>;
  /** Whether every one of these was taken in before. */
  readonly all: (ids: readonly EventId[]) => Promise<boolean>;
};

/** `cutShort`: more was listed than can be read; what lies between these events and the known ones is lost. */
export type FoundSince = Found & { readonly cutShort: boolean };

/** The newest page and its lowest id where that proves something: the baseline of a first start. */
export async function fetchNewest(fleet: FleetReader): Promise<Found & { readonly lowest: EventId | null }> {
  const survey = await readFirst(fleet.events({ pageSize: FIRST_PAGE }, { lane: 'background' }));
  return { ...survey.found(), lowest: survey.lowest() };
}

/**
 * One request where its rows reach what is settled. Otherwise a second walk, in the largest pages, goes on until
 * it reaches that or a whole page is known: so an event that the service lists late is found for minutes after its
 * neighbours, while fewer than a page of newer ones was taken in before it.
 *
 * The day filter takes whole days, and whether it is inclusive is not documented: hence two days.
 */
export async function fetchSince(fleet: FleetReader, lastPoll: Instant, known: Known): Promise<FoundSince> {
  const after = later(lastPoll, -2 * DAY);
  const pages = (pageSize: number) => fleet.events({ pageSize, after }, { lane: 'background' });
  const first = await readFirst(pages(FIRST_PAGE));
  if (first.complete() || (await reaches(first, known))) return { ...first.found(), cutShort: false };
  const rest = createSurvey();
  const cutShort = (await readDown(pages(NEXT_PAGES), rest, known)) === 'too-much';
  const found = rest.found();
  return { ...found, events: [...first.found().events, ...found.events], cutShort };
}

async function readFirst(pages: AsyncIterable<Page<FleetEvent>>): Promise<Survey> {
  const survey = createSurvey();
  for await (const page of pages) {
    survey.take(page);
    break;
  }
  return survey;
}

/**
 * Assumption (§4.9): newest first. The order is not documented, so it is checked: a list that is not in order is
 * read to its end, or as far as the client reads.
 */
async function readDown(
  pages: AsyncIterable<Page<FleetEvent>>,
  survey: Survey,
  known: Known,
): Promise<'down' | 'too-much'> {
  try {
    for await (const page of pages) {
      survey.take(page);
      if (await reaches(survey, known)) break;
      if (survey.lowest() !== null && (await known.all(page.rows.map(({ id }) => id)))) break;
    }
    return 'down';
  } catch (error) {
    // To fail here would be to fail for ever, since the list only grows.
    if (error instanceof FleetFailure && error.error.kind === 'too-large') return 'too-much';
    throw error;
  }
}

async function reaches(survey: Survey, known: Known): Promise<boolean> {
  const lowest = survey.lowest();
  return lowest !== null && known.settled(lowest);
}
