/** The commands by name: the one list that dispatch, help and the app's manifest are computed from. */
import { nearestNamesOrAll } from '../../inventory/nearest-names.ts';
import type { HelpEntry } from '../../views/model.ts';
import type { Command } from './command.ts';

export type Registry = Readonly<ReturnType<typeof createRegistry>>;

/** Throws for two commands of one name, which is a programming error. `synonyms`: other words for commands, by name. */
export function createRegistry(
  commands: readonly Command[],
  synonyms: Readonly<Record<string, string>> = {},
) {
  const byName = new Map(commands.map((command) => [command.name, command]));
  if (byName.size !== commands.length) {
    const names = commands.map(({ name }) => name);
    throw new Error(`two commands have one name: ${names.filter((name, at) => names.indexOf(name) !== at)}`);
  }
  const find = (word: string) =>
    byName.get(word) ?? byName.get(Object.hasOwn(synonyms, word) ? (synonyms[word] ?? '') : '') ?? null;
  return {
    find: (word: string): Command | null => find(word.toLowerCase()),
    /** Names of commands close to an unknown word; of one that removes something only where that was meant. */
    nearest: (word: string): readonly string[] =>
      nearestNamesOrAll(word, byName.keys()).filter((name) => !name.endsWith('-remove') || /rem/i.test(word)),
    all: (): readonly Command[] => commands,
    help: (): readonly HelpEntry[] =>
      commands.map(({ name, usage, summary, examples }) => ({ name, usage, summary, examples })),
  };
}
