/**
 * The bits of a policy's schedule as the live service has them ("management API in practice" 9): the lowest is unused,
 * then one for each day from Monday, each week of the month, each month from January. Pure.
 */
export const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
export const WEEKS = ['first', 'second', 'third', 'fourth', 'fifth'] as const;
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;
/** Monday to Friday. */
export const WEEKDAYS = 62;

/** The mask in which all of these are set. */
export function allBits(names: readonly string[]): number {
  return 2 ** (names.length + 1) - 2;
}

/** The mask in which those at these positions are set. */
export function bitsAt(positions: readonly number[]): number {
  return [...new Set(positions)].reduce((mask, at) => mask + 2 ** (at + 1), 0);
}

/** The names whose bits are set; null where unknown bits are set. */
export function setBits(mask: number, names: readonly string[]): readonly string[] | null {
  if (!isMask(mask, names)) return null;
  return names.filter((_, at) => (mask & (2 ** (at + 1))) !== 0);
}

/** Whether only bits that mean one of these are set. */
export function isMask(mask: number, names: readonly string[]): boolean {
  return Number.isInteger(mask) && mask >= 0 && mask <= allBits(names) && mask % 2 === 0;
}
