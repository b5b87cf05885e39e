/** Charts: Slack's own in messages, and bars as text where Slack draws none. The numbers always stand beside them in words. */

import type { Block } from '../model.ts';
import { cut, type Mrkdwn, plain, trusted } from './escape.ts';
import { LIMIT } from './limits.ts';
import { type Richer, size } from './message.ts';

const WIDTH = 20;

/**
 * How much of `whole` is `part`, as a bar. Something is never drawn as nothing, and a part never as all. For eyes
 * alone: the numbers stand beside it in words. Not as code, which Slack draws in the colour of alarms. Slack's chart
 * block has no place in the Home and in modals (docs.slack.dev/reference/block-kit/blocks/data-visualization-block).
 */
export function bar(part: number, whole: number): Mrkdwn {
  const full = filled(part, whole);
  return trusted('█'.repeat(full) + '░'.repeat(WIDTH - full));
}

function filled(part: number, whole: number): number {
  if (part <= 0 || whole <= 0) return 0;
  if (part >= whole) return WIDTH;
  return Math.min(Math.max(Math.round((part / whole) * WIDTH), 1), WIDTH - 1);
}

export type Point = { readonly label: string; readonly value: number };

/**
 * Bars for messages alone (docs.slack.dev/reference/block-kit/blocks/data-visualization-block). Nothing where there is
 * too little to compare; labels are unique there, so the later of two alike is counted.
 */
export function barChart(title: string, series: string, points: readonly Point[]): readonly Richer[] {
  const labelled = named(points.slice(0, LIMIT.chartPoints));
  if (labelled.length < 2) return [];
  const categories = labelled.map(({ label }) => label);
  const chart = { type: 'bar', series: [{ name: series, data: labelled }], axis_config: { categories } };
  const blocks = [{ type: 'data_visualization', title: cut(title, LIMIT.chartTitle), chart }];
  return [{ rich: (room) => (size(blocks) <= room ? blocks : []), plain: [] }];
}

/** What stands in messages alone. */
const RICH: ReadonlySet<string> = new Set(['data_visualization', 'table']);

/** Whether there is anything that the Home and windows have no place for. */
export function isRich(blocks: readonly Block[]): boolean {
  return blocks.some(({ type }) => RICH.has(type));
}

/** The rest of it, for windows. */
export function withoutRich(blocks: readonly Block[]): readonly Block[] {
  return blocks.filter(({ type }) => !RICH.has(type));
}

function named(points: readonly Point[]): readonly Point[] {
  const taken = new Set<string>();
  return points.map(({ label, value }) => {
    let name = plain(label, LIMIT.chartLabel);
    for (let again = 2; taken.has(name); again += 1) {
      const mark = ` ${again}`;
      name = `${plain(label, LIMIT.chartLabel - mark.length)}${mark}`;
    }
    taken.add(name);
    return { label: name, value };
  });
}
