/** SVG helpers. Colors come from the style sheet by class, so that they follow light and dark mode. */

const NAMESPACE = 'http://www.w3.org/2000/svg';

/**
 * @param {string} tag
 * @param {Readonly<Record<string, string | number>>} [attributes]
 * @param {...(Node | string)} children
 */
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/** Text that the browser shows when the pointer is over a shape. @param {string} words */
export const withTooltip = (words) => svg('title', {}, words);

/** A coordinate rounded to a hundredth. @param {number} number */
export const shortLabel = (number) => Number(number.toFixed(2));

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** @param {number} number */
export const numberText = (number) => numbers.format(number);

/** A number as an axis label. @param {number} number */
export const axisNumber = (number) =>
  Math.abs(number) < 10_000 ? numbers.format(number) : compact.format(number);
