/** Drawing with SVG. Colours come from the style sheet by class, so that they follow light and dark. */

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

/** Words that the browser shows when a shape is pointed at. @param {string} words */
export const withTooltip = (words) => svg('title', {}, words);

/** Short enough for a hundredth of a unit. @param {number} number */
export const shortLabel = (number) => Number(number.toFixed(2));

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** @param {number} number */
export const numberText = (number) => numbers.format(number);

/** As it stands at an axis. @param {number} number */
export const axisNumber = (number) =>
  Math.abs(number) < 10_000 ? numbers.format(number) : compact.format(number);
