/** What help shows of commands. */

export type HelpEntry = {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly examples: readonly string[];
};

/** A filter with a value as it is typed, and what it finds. */
export type HelpFilter = { readonly text: string; readonly description: string };

/** A common task, with an example command. */
export type HelpTask = { readonly title: string; readonly line: string };

export type HelpSection = { readonly title: string; readonly commands: readonly HelpEntry[] };
