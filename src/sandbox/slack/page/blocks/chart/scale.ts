/** The scale of a chart's vertical axis. */

const MAX_LINES = 5;

/** Round numbers from at or below the smallest value (or 0) to at or above the largest. */
export function ticksOf(values: readonly number[]): readonly number[] {
  const least = Math.min(0, ...values);
  const most = Math.max(0, ...values);
  const span = most - least || 1;
  const rough = span / MAX_LINES;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5].find((each) => each * power >= rough) ?? 10) * power;
  const first = Math.floor(least / step);
  const count = Math.max(1, Math.ceil(most / step) - first);
  return Array.from({ length: count + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}
