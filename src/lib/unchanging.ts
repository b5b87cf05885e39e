type Value = string | number | boolean | null | undefined;

/** The same, changed in place by nobody: what a schema reads can be changed by its type. */
export type Unchanging<T> = T extends Value
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Unchanging<Item>[]
    : { readonly [K in keyof T]: Unchanging<T[K]> };
