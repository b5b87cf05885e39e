/** What is computed from all devices is computed once for each state of the index, not for each who asks. */
import type { IndexedDevice, Snapshot } from './inventory.ts';

type Known<Result> = Pick<Snapshot, 'groups' | 'policies'> & { readonly result: Result };

/** The same function; `compute` looks at nothing but devices, groups and policies. */
export function remembered<Result>(compute: (snapshot: Snapshot) => Result): (snapshot: Snapshot) => Result {
  const known = new WeakMap<readonly IndexedDevice[], Known<Result>>();
  return (snapshot) => {
    const { devices, groups, policies } = snapshot;
    const before = known.get(devices);
    if (before?.groups === groups && before.policies === policies) return before.result;
    const result = compute(snapshot);
    known.set(devices, { groups, policies, result });
    return result;
  };
}
