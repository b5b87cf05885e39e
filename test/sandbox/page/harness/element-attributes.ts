/** Attributes on the page at one moment. A redraw may come at any time, so tests use `expect.poll`. */
import type { Locator } from 'playwright-core';

/** The attribute of each element in order; null where it is missing. */
export const attributes = (elements: Locator, name: string): Promise<readonly (string | null)[]> =>
  elements.evaluateAll((nodes, attribute) => nodes.map((node) => node.getAttribute(attribute)), name);
