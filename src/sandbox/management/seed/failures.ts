/** Why patches fail, in the words agents use. */
import type { Random } from '../world/random.ts';

const REASONS = [
  'The download of the update failed: connection timed out after 300 seconds',
  'Not enough disk space: 1.2 GB needed, 0.4 GB free',
  'Error 0x80070643: the installer has encountered an unexpected error',
  'dpkg: error processing archive: unable to acquire the dpkg frontend lock',
  'The update is not applicable to your computer (0x80240017)',
  'Exit code 1603: fatal error during installation',
] as const;

export function failureReason(random: Random): string {
  return random.pick(REASONS);
}
