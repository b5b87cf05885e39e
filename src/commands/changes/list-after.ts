/** The list once these are added to it and those removed from it. */
export function listAfter<T>(now: readonly T[], added: readonly T[], removed: readonly T[]): readonly T[] {
  return [...new Set([...now.filter((one) => !removed.includes(one)), ...added])];
}
