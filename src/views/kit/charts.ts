/** Charts: Slack's own in messages, and bars as text where Slack draws none. The numbers always stand beside them in words. */

import type { Block } from '../model.ts';
import { type Mrkdwn, plainText, truncate, trustedMrkdwn } from './escape.ts';
import { LIMIT } from './limits.ts';
import { jsonSize, type RichWithFallback } from './message.ts';

const WIDTH = 20;

/**
 * How much of `whole` is `part`, as a bar. Something is never drawn as nothing, and a part never as all. For eyes
 * alone: the numbers stand beside it in words. Not as code, which Slack draws in the colour of alarms. Slack's chart
 * block has no place in the Home and in modals (docs.slack.dev/reference/block-kit/blocks/data-visualization-block).
 */
export function bar(part: number, total: number): Mrkdwn {
  const full = filledCells(part, total);
  return trustedMrkdwn('█'.repeat(full) + '░'.repeat(WIDTH - full));
}

function filledCells(part: number, total: number): number {
  if (part <= 0 || total <= 0) return 0;
  if (part >= total) return WIDTH;
  return Math.min(Math.max(Math.round((part / total) * WIDTH), 1), WIDTH - 1);
}

export type ChartPoint = { readonly label: string; readonly value: number };

/**
 * Bars for messages alone (docs.slack.dev/reference/block-kit/blocks/data-visualization-block). Nothing where there is
 * too little to compare; labels are unique there, so the later of two alike is counted.
 */
export function barChart(
  title: string,
  series: string,
  points: readonly ChartPoint[],
): readonly RichWithFallback[] {
  const labelled = pointLabels(points.slice(0, LIMIT.chartPoints));
  if (labelled.length < 2) return [];
  const categories = labelled.map(({ label }) => label);
  const chart = { type: 'bar', series: [{ name: series, data: labelled }], axis_config: { categories } };
  const blocks = [{ type: 'data_visualization', title: truncate(title, LIMIT.chartTitle), chart }];
  return [{ rich: (room) => (jsonSize(blocks) <= room ? blocks : []), fallback: [] }];
}

/** What stands in messages alone. */
const RICH_BLOCK_TYPES: ReadonlySet<string> = new Set(['data_visualization', 'table']);

/** Whether there is anything that the Home and windows have no place for. */
export function hasRichBlocks(blocks: readonly Block[]): boolean {
  return blocks.some(({ type }) => RICH_BLOCK_TYPES.has(type));
}

/** The rest of it, for windows. */
export function withoutRichBlocks(blocks: readonly Block[]): readonly Block[] {
  return blocks.filter(({ type }) => !RICH_BLOCK_TYPES.has(type));
}

function pointLabels(points: readonly ChartPoint[]): readonly ChartPoint[] {
  const usedLabels = new Set<string>();
  return points.map(({ label, value }) => {
    let name = plainText(label, LIMIT.chartLabel);
    for (let again = 2; usedLabels.has(name); again += 1) {
      const mark = ` ${again}`;
      name = `${plainText(label, LIMIT.chartLabel - mark.length)}${mark}`;
    }
    usedLabels.add(name);
    return { label: name, value };
  });
}
