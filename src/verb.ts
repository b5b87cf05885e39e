/** A verb of the command line that takes no options: `--help` and anything else after it run nothing. */
export type Verb = (words: readonly string[]) => Promise<void>;

/** Prints the usage for `--help` (exit code 0) and for words that it does not take (exit code 2); else runs `job`. */
export function withoutOptions(usage: string, what: string, job: () => Promise<void>): Verb {
  return async (words) => {
    if (words.some(isHelp)) {
      process.stdout.write(`Usage: ${usage}\n\n${what}\n`);
      return;
    }
    if (words.length === 0) return job();
    const faults = words.map((word) => `${word}: ${usage} takes no options`);
    process.stderr.write(`${faults.join('\n')}\nUsage: ${usage}\n`);
    process.exitCode = 2;
  };
}

export function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}
