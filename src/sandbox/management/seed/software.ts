/** The titles of a device: computed from its id when read, so that a large fleet needs little memory. */

import type { Family, Software, WorldDevice } from '../world/model.ts';
import { createRandom, hash } from '../world/random.ts';
import { LINUX_INSTALLED, LINUX_UPDATES } from './software-linux.ts';
import { MAC_INSTALLED, MAC_UPDATES } from './software-mac.ts';
import { WINDOWS_INSTALLED, WINDOWS_UPDATES } from './software-windows.ts';

type FamilySoftware = { readonly updates: readonly Software[]; readonly installed: readonly Software[] };

const SOFTWARE_BY_FAMILY: Readonly<Record<Family, FamilySoftware>> = {
  Linux: { updates: LINUX_UPDATES, installed: LINUX_INSTALLED },
  Mac: { updates: MAC_UPDATES, installed: MAC_INSTALLED },
  Windows: { updates: WINDOWS_UPDATES, installed: WINDOWS_INSTALLED },
};

const FEWEST_TITLES = 14;

/** Above the ids of the titles, below those of titles that a request names. */
const FIRST_EXTRA_ID = 10_000;
const FIRST_NAMED_ID = 100_000;
const NAMED_IDS = 900_000;

/** Patches that devices of this family may lack. */
export function updatesFor(family: Family): readonly Software[] {
  return SOFTWARE_BY_FAMILY[family].updates;
}

/** Software that the device had at the seed. */
export function installedAtSeed(
  device: Pick<WorldDevice, 'id' | 'platform' | 'extraTitles'>,
): readonly Software[] {
  const random = createRandom(`titles of ${device.id}`);
  const { installed } = SOFTWARE_BY_FAMILY[device.platform.family];
  const usual = random.sample(installed, random.int(FEWEST_TITLES, installed.length));
  return [...usual, ...Array.from({ length: device.extraTitles }, (_, index) => extraTitle(index))];
}

/** The title called `name`: the family's, or a new one. */
export function softwareNamed(family: Family, name: string): Software {
  const { updates, installed } = SOFTWARE_BY_FAMILY[family];
  const known = [...updates, ...installed].find((software) => software.name === name);
  return known ?? unknownTitle(name);
}

function unknownTitle(name: string): Software {
  return {
    id: FIRST_NAMED_ID + (hash(name) % NAMED_IDS),
    name,
    displayName: name,
    version: '1.0.0',
    repo: 'vendor',
    severity: 'high',
    cves: [],
    cveScore: null,
    requiresReboot: false,
  };
}

function extraTitle(index: number): Software {
  const name = `libpart-${String(index + 1).padStart(4, '0')}`;
  return {
    ...unknownTitle(name),
    id: FIRST_EXTRA_ID + index,
    version: `1.${index}`,
    repo: 'Installed',
    severity: null,
  };
}
