/** Verbs of the command line: `--help` after one runs nothing. */
export type Verb = (words: readonly string[]) => Promise<void>;

/** Prints the usage for `--help`; all other words are for `job` to read. */
export function withWords(usage: string, what: string, job: Verb): Verb {
  return async (words) => {
    if (!words.some(isHelp)) return job(words);
    process.stdout.write(`Usage: ${usage}\n\n${what}\n`);
  };
}

/** Prints the usage for `--help` (exit code 0) and for words that it does not take (exit code 2); else runs `job`. */
export function withoutOptions(usage: string, what: string, job: () => Promise<void>): Verb {
  return withWords(usage, what, async (words) => {
    if (words.length === 0) return job();
    const faults = words.map((word) => `${word}: ${usage} takes no options`);
    process.stderr.write(`${faults.join('\n')}\nUsage: ${usage}\n`);
    process.exitCode = 2;
  });
}

export function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}
