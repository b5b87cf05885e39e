/** Preact, with templates in place of JSX: nothing is built. */
import htm from '/page/packages/htm.js';
import { h } from '/page/packages/preact.js';

export {
  useEffect,
  useErrorBoundary,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from '/page/packages/hooks.js';
export { render } from '/page/packages/preact.js';
export const html = htm.bind(h);
