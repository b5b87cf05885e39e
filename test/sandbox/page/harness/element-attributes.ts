/** What stands on the page at one moment. It may be drawn anew at any time, so tests ask by `expect.poll` until it fits. */
import type { Locator } from 'playwright-core';

/** Of each element in order; null where it has none. */
export const attributes = (elements: Locator, name: string): Promise<readonly (string | null)[]> =>
  elements.evaluateAll((nodes, attribute) => nodes.map((node) => node.getAttribute(attribute)), name);
