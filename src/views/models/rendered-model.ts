/** A message ready for Slack. `text` is what notifications show and screen readers read. */
export type RenderedMessage = {
  readonly text: string;
  readonly blocks: readonly Block[];
  /** The blocks without charts and tables, for windows and for a Slack that refuses them. Absent where there are none. */
  readonly plain?: readonly Block[] | undefined;
};

/** A Block Kit block as JSON, made by the builders in `kit/` and `forms/`. */
export type Block = { readonly type: string; readonly block_id?: string } & Readonly<Record<string, unknown>>;
