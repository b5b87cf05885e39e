/** `property([fc.string()])('never throws', (text) => …)`: a test of what holds for whatever the arbitraries make. */
import fc from 'fast-check';
import { it } from 'vitest';

export function property<Values extends [unknown, ...unknown[]]>(
  arbitraries: { [Place in keyof Values]: fc.Arbitrary<Values[Place]> },
  options: fc.Parameters<Values> = {},
) {
  return (name: string, holds: (...values: Values) => unknown): void =>
    it(name, () =>
      fc.assert(
        fc.asyncProperty<Values>(...arbitraries, async (...values) => (await holds(...values)) !== false),
        options,
      ),
    );
}
