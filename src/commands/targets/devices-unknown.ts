/** A value of a filter that nothing in the fleet has: named back, with the same question for each that comes near. */
import { nearest } from '../../inventory/nearest.ts';
import type { Problem } from '../../views/model.ts';
import type { Offer } from '../../views/models/offer-model.ts';
import { usageProblem } from '../line/faults.ts';
import { ROOT } from '../root.ts';
import { type DeviceFilter, filterText } from './device-filters.ts';
import type { UnknownValue } from './device-matchers.ts';
import { type DevicesQuestion, question } from './device-question.ts';

/** What is wrong; each offer is the whole question. */
export function unknownValue(
  { kind, key, value, nearest: known }: UnknownValue,
  asked: DevicesQuestion,
  usage: string,
): Problem {
  const offers = nearest(value, known).map((near): Offer => {
    const right = (one: DeviceFilter) =>
      one.key === key && one.value === value ? { ...one, value: near } : one;
    const input = { ...asked, filters: asked.filters.map(right) };
    const choice = { command: 'devices', input };
    return { kind: 'line', does: 'run', line: `${ROOT} devices ${question(input)}`, choice };
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
