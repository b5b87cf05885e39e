/** Time zones by the names of the IANA database, as people type them. Pure. */
import { distance } from 'fastest-levenshtein';
import { nearestNames } from '../../inventory/nearest-names.ts';
import { fold } from '../../lib/text.ts';
import type { UsageFault } from '../../views/model.ts';

/** The names that this runtime knows, and UTC, which it leaves out. */
const ZONES: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')];
const BY_FOLDED: ReadonlyMap<string, string> = new Map(ZONES.map((zone) => [fold(zone), zone]));

export type ZoneMatch =
  | { readonly kind: 'zone'; readonly zone: string }
  | { readonly kind: 'none'; readonly nearest: readonly string[] };

/**
 * The zone of this name, whatever the case and with spaces for `_`; or the only one whose city has it. An older name
 * that the runtime knows, such as `Europe/Kiev`, is taken as it is.
 */
export function findZone(typed: string): ZoneMatch {
  const foldedZone = fold(typed).replaceAll(' ', '_');
  const known = BY_FOLDED.get(foldedZone);
  if (known !== undefined) return { kind: 'zone', zone: known };
  const [city, other] = ZONES.filter((zone) => fold(cityOf(zone)) === foldedZone);
  if (city !== undefined && other === undefined) return { kind: 'zone', zone: city };
  const older = foldedZone.includes('/') ? olderName(foldedZone) : null;
  if (older !== null) return { kind: 'zone', zone: older };
  return { kind: 'none', nearest: nearestZones(foldedZone) };
}

/** Why nothing was found, with what comes near. */
export function zoneFault(typed: string, nearest: readonly string[]): UsageFault {
  if (nearest.length > 0) return { kind: 'unknown-word', word: typed, nearest };
  return { kind: 'bad-value', word: typed, expected: 'a city or a zone such as Europe/Berlin' };
}

const cityOf = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1);

/** The name in the runtime's own spelling, where it takes it. */
function olderName(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** By the city where none was typed before it: a slip there is small beside the whole name. */
function nearestZones(typed: string): readonly string[] {
  if (typed.includes('/')) return nearestNames(typed, ZONES);
  const cities = new Map(ZONES.map((zone) => [cityOf(zone), zone]));
  const near = nearestNames(typed, cities.keys()).filter(
    (city) => !isAbbreviation(typed) || isTypo(typed, city),
  );
  return near.flatMap((city) => cities.get(city) ?? []);
}

/** Such as `CET`: it stands for a time, and names no city that has its letters by chance. */
function isAbbreviation(typed: string): boolean {
  return /^[a-z]{2,4}$/.test(typed);
}

/** One letter, letters that changed places, or the beginning alone. */
function isTypo(typed: string, city: string): boolean {
  const name = fold(city);
  return name.startsWith(typed) || typed.length === name.length || distance(typed, name) === 1;
}
