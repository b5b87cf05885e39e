/** Why patches fail, in the words of agents. */
import type { Family } from '../world/model.ts';
import type { SeededRandom } from '../world/random.ts';

const ANYWHERE = [
  'The download of the update failed: connection timed out after 300 seconds',
  'Not enough disk space: 1.2 GB needed, 0.4 GB free',
];

const REASONS: Readonly<Record<Family, readonly string[]>> = {
  Linux: [
    ...ANYWHERE,
    'dpkg: error processing archive: unable to acquire the dpkg frontend lock',
    'E: Unable to correct problems, you have held broken packages.',
    "Unpacking …\ndpkg: error processing archive (--unpack):\n trying to overwrite '/usr/bin/tool', which is also in another package\nErrors were encountered while processing.",
  ],
  Mac: [
    ...ANYWHERE,
    'installer: Error - the package is damaged or incomplete',
    'A volume owner must authorize',
  ],
  Windows: [
    ...ANYWHERE,
    'Error 0x80070643: the installer has encountered an unexpected error',
    'The update is not applicable to your computer (0x80240017)',
    'Exit code 1603: fatal error during installation',
    'Searching for updates…\nDownloading 1 of 1\nInstallation failed: 0x800f0922\nRolling back changes.',
  ],
};

/** A reason that fits any operating system family. */
export function commonFailureReason(random: SeededRandom): string {
  return random.pick(ANYWHERE);
}

export function failureReason(random: SeededRandom, family: Family): string {
  return random.pick(REASONS[family]);
}
