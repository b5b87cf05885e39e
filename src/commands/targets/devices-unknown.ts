/** A value of a filter that nothing in the fleet has: named back, with the same question for each that comes near. */
import type { Instant } from '../../clock.ts';
import type { Snapshot } from '../../inventory/inventory.ts';
import { nearest } from '../../inventory/nearest.ts';
import type { Problem } from '../../views/model.ts';
import type { Offer } from '../../views/models/offer-model.ts';
import { usageProblem } from '../line/faults.ts';
import { ROOT } from '../root.ts';
import { type DeviceFilter, filterText } from './device-filters.ts';
import type { UnknownValue } from './device-matchers.ts';
import { type DevicesQuestion, question } from './device-question.ts';
import { unknownAmong } from './device-select.ts';

type Against = { readonly snapshot: Snapshot; readonly now: Instant; readonly usage: string };

/** What is wrong; each offer is the whole question, of which nothing else is wrong. */
export function unknownValue(
  unknown: UnknownValue,
  asked: DevicesQuestion,
  { snapshot, now, usage }: Against,
): Problem {
  const { kind, key, value, nearest: known } = unknown;
  const right = putRight(asked, snapshot, now);
  const offers = nearOf(unknown).flatMap((near): readonly Offer[] => {
    if (right === null) return [];
    const input = inPlace(asked, unknown, near, right);
    if (unknownAmong(input.filters, snapshot, now) !== null) return [];
    const choice = { command: 'devices', input };
    return [{ kind: 'line', does: 'run', line: `${ROOT} devices ${question(input)}`, choice }];
  });
  const offered = offers.length === 0 ? {} : { offers };
  switch (kind) {
    case 'group':
      return { kind: 'no-such-group', query: value, nearest: known, ...offered };
    case 'policy':
      return { kind: 'no-such-policy', query: value, nearest: known, ...offered };
    case 'word': {
      const words = known.map((name) => filterText(key, name));
      const fault = { kind: 'unknown-word', word: filterText(key, value), nearest: words } as const;
      return { ...usageProblem({ name: 'devices', usage }, fault), ...offered };
    }
  }
}

/** Where nothing is near all are named, which are no guesses. */
function nearOf({ value, nearest: known }: UnknownValue): readonly string[] {
  return nearest(value, known);
}

/** The nearest for this one, and `right` for every other. */
function inPlace(
  asked: DevicesQuestion,
  { key, value }: UnknownValue,
  near: string,
  right: readonly DeviceFilter[],
): DevicesQuestion {
  const filters = asked.filters.map((one, at) =>
    one.key === key && one.value === value ? { ...one, value: near } : (right[at] ?? one),
  );
  return { ...asked, filters };
}

/** Nobody mistypes more of one line, and each is compared with all that there is. */
const MOST_PUT_RIGHT = 5;

/** The filters with the nearest for every value that is not known; null where one has none, or where they are many. */
function putRight(
  { filters }: DevicesQuestion,
  snapshot: Snapshot,
  now: Instant,
): readonly DeviceFilter[] | null {
  const right: DeviceFilter[] = [];
  let left = MOST_PUT_RIGHT;
  for (const filter of filters) {
    const unknown = unknownAmong([filter], snapshot, now);
    const near = unknown === null ? filter.value : nearOf(unknown)[0];
    if (unknown !== null) left -= 1;
    if (near === undefined || left < 0) return null;
    right.push({ ...filter, value: near });
  }
  return right;
}
