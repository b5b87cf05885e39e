/** Layout problems of a part of the page on a phone. */
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

/** Smallest touch target, in px (WCAG 2.2, 2.5.8). */
const TARGET_PX = 24;

/**
 * Everything that is wider than the window, cut, too small for a finger, or covered, in words. Tables and charts may be
 * wider inside a scrolling box.
 */
export async function layoutProblems(part: Locator): Promise<readonly string[]> {
  const [wide, small] = [await part.evaluate(tooWide), await part.evaluate(untappable, TARGET_PX)];
  return [...wide, ...small];
}

/** Retries until there are no problems: a part being redrawn is incomplete for a moment. */
export async function fitsPart(part: Locator): Promise<void> {
  await expect.poll(() => layoutProblems(part)).toEqual([]);
}

/** Runs in the page. */
function tooWide(part: Element): readonly string[] {
  const over = document.documentElement.scrollWidth - innerWidth;
  const scrolls = (node: Element) => ['auto', 'scroll'].includes(getComputedStyle(node).overflowX);
  const isBoxed = (node: Element | null): boolean =>
    node !== null && node !== part && (scrolls(node) || isBoxed(node.parentElement));
  const found = [...part.querySelectorAll('*')].flatMap((node) => {
    if (node.closest('.visually-hidden, svg, input') || !node.checkVisibility()) return [];
    const words = (node.textContent.trim() || node.outerHTML).slice(0, 80);
    const { left, right, width } = node.getBoundingClientRect();
    const isOutside = width > 0 && (left < 0 || right > innerWidth + 0.5) && !isBoxed(node);
    const isHidden = getComputedStyle(node).overflowX === 'hidden';
    const isCut = isHidden && node.scrollWidth > node.clientWidth + 1;
    return [...(isOutside ? [`outside: ${words}`] : []), ...(isCut ? [`cut: ${words}`] : [])];
  });
  return over > 0 ? [`the page is ${over} px wider than the window`, ...found] : found;
}

/** Runs in the page. */
function untappable(part: Element, least: number): readonly string[] {
  const targets = 'button, select, label, [role=combobox], textarea, .text-input';
  return [...part.querySelectorAll(targets)].flatMap((node) => {
    if (!node.checkVisibility({ visibilityProperty: true }) || node.matches(':disabled')) return [];
    node.scrollIntoView({ block: 'center', inline: 'center' });
    const box = node.getBoundingClientRect();
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const words = (node.textContent.trim() || node.outerHTML).slice(0, 80);
    const isCovered = hit === null || !node.contains(hit);
    const isSmall = (node.closest('.picker-box') ?? node).getBoundingClientRect().height < least;
    return [
      ...(isSmall ? [`only ${box.height} px high: ${words}`] : []),
      ...(isCovered ? [`cannot be tapped: ${words}`] : []),
    ];
  });
}
