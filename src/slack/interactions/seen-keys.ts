/** Tells whether something is new, by the latest names. */

export type SeenKeys = ((name: string) => boolean) & {
  /** As if it had not been met. */
  readonly forget: (name: string) => void;
};

/** More than can be under way. */
const MAX_KEYS = 1_000;

/** True for a name that is not among the latest. */
export function createSeenKeys(): SeenKeys {
  const names = new Set<string>();
  const isFirst = (name: string): boolean => {
    if (names.has(name)) return false;
    names.add(name);
    const [oldest] = names;
    if (names.size > MAX_KEYS && oldest !== undefined) names.delete(oldest);
    return true;
  };
  return Object.assign(isFirst, { forget: (name: string) => void names.delete(name) });
}
