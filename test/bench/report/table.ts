/** Figures as a Markdown table, which is plain enough for a terminal too. Pure. */
import type { Figure } from './figure.ts';

const HEAD = ['what', 'ours', 'baseline', 'ratio', 'the baseline'] as const;
const NUMBERS: ReadonlySet<number> = new Set([1, 2, 3]);

/** One line for each figure, below a head, in columns of equal width. */
export function table(figures: readonly Figure[]): string {
  const rows: readonly (readonly string[])[] = [HEAD, ...figures.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const aligned = rows.map((row) => line(row.map((cell, column) => pad(cell, column, widths))));
  const rule = line(
    widths.map((width, column) => `${'-'.repeat(width - 1)}${NUMBERS.has(column) ? ':' : '-'}`),
  );
  return [...aligned.slice(0, 1), rule, ...aligned.slice(1)].join('\n');
}

function cellsOf({ name, unit, ours, baseline, ratio, against }: Figure): readonly string[] {
  return [name, `${amount(ours)} ${unit}`, `${amount(baseline)} ${unit}`, ratio.toFixed(2), against];
}

/** At most three digits, decided after rounding: more would be noise. */
function amount(value: number): string {
  const rounded = Math.abs(Number(value.toPrecision(3)));
  const decimals = rounded >= 100 ? 0 : rounded >= 10 ? 1 : 2;
  return value.toFixed(decimals);
}

function pad(cell: string, column: number, widths: readonly number[]): string {
  const width = widths[column] ?? 0;
  return NUMBERS.has(column) ? cell.padStart(width) : cell.padEnd(width);
}
