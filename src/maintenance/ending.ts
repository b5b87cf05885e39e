/** How a verb ends that could not do its work. */
import { fileTrouble } from '../store/file-trouble.ts';

/** One line for the person, and the exit code. */
export function fail(code: 1 | 2, line: string): void {
  process.stderr.write(`${line}\n`);
  process.exitCode = code;
}

/** In plain words where they are known. */
export function reasonOf(error: unknown): string {
  const ofFile = fileTrouble(error);
  if (ofFile !== null) return ofFile;
  return error instanceof Error ? error.message : String(error);
}
