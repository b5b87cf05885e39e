/** How a verb ends that could not do its work. */

/** One line for the person, and the exit code. */
export function fail(code: 1 | 2, line: string): void {
  process.stderr.write(`${line}\n`);
  process.exitCode = code;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
