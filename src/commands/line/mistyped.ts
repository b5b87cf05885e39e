/** What may have been meant by a word that is no command: the same line with the word put right. */
import type { Offer } from '../../views/models/offer-model.ts';
import type { Command } from '../command.ts';
import type { Registry } from '../registry.ts';

/** What the rest of the line would be to a command; null where it would be nothing. */
export type Meaning = {
  readonly command: Command;
  /** Null: something lacks, and the form asks for it. */
  readonly input: unknown | null;
  /** What of the line its form starts with. */
  readonly given: unknown;
};

/**
 * A line for each command near to the word. One that only looks is run; what changes something, or lacks something,
 * has its form opened, so that nothing happens by a guess.
 */
export async function mistypedOffers(
  { find, nearest }: Pick<Registry, 'find' | 'nearest'>,
  { word, line, root }: { readonly word: string; readonly line: string; readonly root: string },
  meaning: (command: Command, line: string) => Promise<Meaning | null>,
): Promise<readonly Offer[]> {
  const offers: Offer[] = [];
  if (!line.toLowerCase().startsWith(word.toLowerCase())) return offers;
  for (const name of nearest(word)) {
    const command = find(name);
    const right = `${name}${line.slice(word.length)}`;
    const meant = command === null ? null : await meaning(command, right);
    const offer = meant === null ? null : offerOf(meant, `${root} ${right}`);
    if (offer !== null) offers.push(offer);
  }
  return offers;
}

function offerOf({ command, input, given }: Meaning, line: string): Offer | null {
  const { name, kind, form } = command;
  // A setting without a form lists what is remembered.
  const looks = kind === 'read' || (kind === 'setting' && form === undefined);
  if (input !== null && looks) return { kind: 'line', line, does: 'run', choice: { command: name, input } };
  if (form === undefined) return null;
  return { kind: 'line', line, does: 'form', choice: { command: name, input: given } };
}
