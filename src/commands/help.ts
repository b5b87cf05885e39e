/** `help`: every command, or one of them, computed from the registry. */
import { z } from 'zod';
import type { HelpEntry } from '../views/model.ts';
import type { ReadCommand } from './command.ts';
import { defineRead } from './define.ts';
import { extraWord, problemView } from './faults.ts';
import type { Registry } from './registry.ts';
import { ROOT } from './root.ts';

const input = z.object({ topic: z.string().nullable() });

/** The registry holds this command too, so it is asked for only when help is wanted. */
export function createHelp(registry: () => Registry): ReadCommand {
  return defineRead<z.infer<typeof input>>({
    name: 'help',
    usage: 'help [COMMAND]',
    summary: 'Show every command, or one with its usage and examples.',
    examples: ['help', 'help devices'],
    open: true,
    input,
    parse: (words) => {
      const fault = extraWord(words, {});
      if (fault !== null) return { kind: 'fault', fault };
      return { kind: 'input', input: { topic: words.free[0] ?? null } };
    },
    run: async ({ topic }) => {
      const { find, help, nearest } = registry();
      if (topic === null) return { kind: 'help', commands: help(), root: ROOT, topic: null };
      const known = find(topic);
      if (known === null) {
        return problemView({ kind: 'unknown-command', word: topic, nearest: nearest(topic), root: ROOT });
      }
      return { kind: 'help', commands: help(), root: ROOT, topic: entry(known) };
    },
  });
}

function entry({ name, usage, summary, examples }: HelpEntry): HelpEntry {
  return { name, usage, summary, examples };
}
