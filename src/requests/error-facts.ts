/** What went wrong with a call, as it is stored: cut, and without its address. Pure. */
import type { FleetError } from '../fleet/fleet.ts';
import type { ErrorFacts } from '../store/port/evidence.ts';
import { clip } from './clip.ts';

const MAX_DETAIL_LENGTH = 200;

export function errorFactsOf({ kind, status, detail, declined, held }: FleetError): ErrorFacts {
  const facts = { kind, status, detail: clip(detail, MAX_DETAIL_LENGTH), held: held ?? null };
  return declined === true ? { ...facts, declined } : facts;
}
