/** Placeholder types of the grammar; see the functions below. */
export type Words = {
  /** Free words and quoted strings, in order. */
  readonly free: readonly string[];
  /** `key:value` parts, keys in lower case; `-key:value` is negated. */
  readonly filters: readonly { readonly key: string; readonly value: string; readonly negated: boolean }[];
  /** What followed `because`. */
  readonly reason: string | null;
};
