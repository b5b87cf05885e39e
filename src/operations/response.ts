/** A device's answer as evidence. Pure. */
import { storedExitCode } from '../fleet/stored-answer.ts';

/** `stored`: null where the entry left without an answer. */
export function answeredText(stored: string | null): string {
  if (stored === null) return 'The command left the device’s queue. No answer was seen.';
  const exitCode = storedExitCode(stored);
  return exitCode === null ? 'The device answered.' : `The device answered with exit code ${exitCode}.`;
}
