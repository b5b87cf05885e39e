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
  const offers = nearOf(unknown).flatMap((near): readonly Offer[] => {
    const input = putRight(inPlace(asked, unknown, near), snapshot, now);
    if (input === null) return [];
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

function inPlace(asked: DevicesQuestion, { key, value }: UnknownValue, near: string): DevicesQuestion {
  const right = (one: DeviceFilter) =>
    one.key === key && one.value === value ? { ...one, value: near } : one;
  return { ...asked, filters: asked.filters.map(right) };
}

/** With the nearest for every other value that is not known; null where one of them has none. */
function putRight(asked: DevicesQuestion, snapshot: Snapshot, now: Instant): DevicesQuestion | null {
  let right = asked;
  for (const _ of asked.filters) {
    const unknown = unknownAmong(right.filters, snapshot, now);
    if (unknown === null) return right;
    const [near] = nearOf(unknown);
    if (near === undefined) return null;
    right = inPlace(right, unknown, near);
  }
  return unknownAmong(right.filters, snapshot, now) === null ? right : null;
}
