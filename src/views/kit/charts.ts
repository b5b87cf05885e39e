/** Slack's charts in messages, and bars of characters elsewhere. Their numbers are always in the text as well. */
import type { Block } from '../models/rendered-model.ts';
import { type Mrkdwn, plainAlone, truncate, trustedMrkdwn } from './escape.ts';
import { LIMIT } from './limits.ts';
import { jsonSize, type RichWithFallback } from './message.ts';

const WIDTH = 20;

/**
 * A bar of characters: `part` of `total`. It is empty only for 0 and full only for all. Not inline code, which Slack draws
 * in red. For the Home and modals, where Slack has no charts
 * (docs.slack.dev/reference/block-kit/blocks/data-visualization-block).
 */
export function bar(part: number, total: number, width: number = WIDTH): Mrkdwn {
  const full = filledCells(part, total, width);
  return trustedMrkdwn('█'.repeat(full) + '░'.repeat(width - full));
}

function filledCells(part: number, total: number, width: number): number {
  if (part <= 0 || total <= 0) return 0;
  if (part >= total) return width;
  return Math.min(Math.max(Math.round((part / total) * width), 1), width - 1);
}

export type ChartPoint = { readonly label: string; readonly value: number };

/**
 * A bar chart, in messages only (docs.slack.dev/reference/block-kit/blocks/data-visualization-block). Empty for fewer than
 * two points. Slack requires unique labels, so equal ones get a number.
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

/** Block types that Slack supports in messages only. */
const RICH_BLOCK_TYPES: ReadonlySet<string> = new Set(['data_visualization', 'table']);

export function hasRichBlocks(blocks: readonly Block[]): boolean {
  return blocks.some(({ type }) => RICH_BLOCK_TYPES.has(type));
}

/** The blocks that the Home and modals support. */
export function withoutRichBlocks(blocks: readonly Block[]): readonly Block[] {
  return blocks.filter(({ type }) => !RICH_BLOCK_TYPES.has(type));
}

function pointLabels(points: readonly ChartPoint[]): readonly ChartPoint[] {
  const usedLabels = new Set<string>();
  return points.map(({ label, value }) => {
    let name = plainAlone(label, LIMIT.chartLabel);
    for (let again = 2; usedLabels.has(name); again += 1) {
      const mark = ` ${again}`;
      name = `${plainAlone(label, LIMIT.chartLabel - mark.length)}${mark}`;
    }
    usedLabels.add(name);
    return { label: name, value };
  });
}
