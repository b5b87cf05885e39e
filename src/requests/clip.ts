/** Words from outside as they are stored: cut, on one line, and without addresses. Pure. */
import type { FleetError } from '../fleet/fleet.ts';
import { cut } from '../lib/text.ts';
import type { ErrorFacts } from '../store/port/evidence.ts';

/** Longest quotation of a device's or an agent's words. */
export const MAX_QUOTE_LENGTH = 300;

/** `text` on one line, cut to `length` characters with a visible mark. */
export function clip(text: string, length: number): string {
  return cut(text.replaceAll(/\s+/g, ' ').trim(), length);
}

const MAX_DETAIL_LENGTH = 200;

export function errorFactsOf({ kind, status, detail, declined, held }: FleetError): ErrorFacts {
  const facts = { kind, status, detail: clip(detail, MAX_DETAIL_LENGTH), held: held ?? null };
  return declined === true ? { ...facts, declined } : facts;
}
