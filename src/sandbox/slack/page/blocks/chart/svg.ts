/** SVG helpers. Colors come from the style sheet by class, so that they follow light and dark mode. */

const NAMESPACE = 'http://www.w3.org/2000/svg';

export function svg(
  tag: string,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: (Node | string)[]
) {
  const node = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/** Text that the browser shows when the pointer is over a shape. */
export const withTooltip = (words: string) => svg('title', {}, words);

/** A coordinate rounded to a hundredth. */
export const shortLabel = (number: number) => Number(number.toFixed(2));

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

export const numberText = (number: number) => numbers.format(number);

/** A number as an axis label. */
export const axisNumber = (number: number) =>
  Math.abs(number) < 10_000 ? numbers.format(number) : compact.format(number);
