/** What help tells of a command, and the view of it. */
import type { ButtonValue, Problem } from '../model.ts';

export type HelpEntry = {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly examples: readonly string[];
};

/** A filter with a value as it is typed, and which things it finds. */
export type HelpFilter = { readonly text: string; readonly words: string };

/** What people do most, with a line that does it. */
export type HelpTask = { readonly title: string; readonly line: string };

/** Commands of one topic. */
export type HelpSection = { readonly title: string; readonly commands: readonly HelpEntry[] };

export type HelpView = {
  readonly kind: 'help';
  /** The first screen, which leads to the others; absent: `sections` and `topic` are shown. */
  readonly start?: { readonly tasks: readonly HelpTask[]; readonly topics: readonly string[] };
  readonly sections: readonly HelpSection[];
  /** So many commands of the sections the reader may not use. */
  readonly withheld: number;
  /** Why the reader may do nothing at all, or not what is asked about. */
  readonly refusal: Problem | null;
  readonly root: string;
  /** One command; with sections, the command that is named like their topic. */
  readonly topic: HelpEntry | null;
  /** Of the topic, each explained; absent: as far as its usage says. */
  readonly filters?: readonly HelpFilter[];
  /** What tries the topic; null where nothing does without arguments, or the reader may not. */
  readonly attempt: Extract<ButtonValue, { do: 'run' | 'form' }> | null;
};
