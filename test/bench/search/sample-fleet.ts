/** A fleet as large companies have one: few kinds of names, many people, serial numbers that look like noise. */
import type { FleetPage } from '../../../src/fleet/fleet.ts';
import type { Device } from '../../../src/fleet/model/resources.ts';
import { deviceId, groupId } from '../../../src/lib/ids.ts';
import { aDevice } from '../../harness/builders.ts';

const SITES = ['ber', 'muc', 'par', 'lon', 'nyc', 'sfo', 'tok', 'syd', 'gru', 'jnb'];
const ROLES = ['web', 'db', 'app', 'cache', 'mail', 'build', 'print', 'kiosk', 'proxy', 'backup'];
const FIRST = 'jane ahmed maria peter olga tim susan wei carlos fatima john anna lars priya noah'.split(' ');
const LAST =
  'smith garcia novak meyer rossi dubois tanaka silva okafor kim jensen patel walker brown haas'.split(' ');
const SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789';

/** The same devices for the same count, a page at a time, so that nothing but the index holds them. */
export async function* fleetPages(count: number): AsyncIterable<FleetPage<Device>> {
  const random = createRandom(20_240_501);
  for (let from = 0; from < count; from += PAGE) {
    const rows = Array.from({ length: Math.min(PAGE, count - from) }, (_, at) => deviceAt(from + at, random));
    yield { rows, total: count, unreadable: 0 };
  }
}

const PAGE = 500;

type Random = <T>(choices: ArrayLike<T>) => T;

function deviceAt(at: number, random: Random): Device {
  const [first, last] = [random(FIRST), random(LAST)];
  const isServer = at % 5 < 2;
  const laptop = at % 5 === 2 ? `LAPTOP-${sign(random, 7)}` : `${random(SITES)}-${last}-${at % 997}`;
  const model = random(['MacBook Pro', 'ThinkPad X1', 'Surface']);
  return aDevice({
    id: deviceId(10_000 + at),
    groupId: groupId(20 + (at % 40)),
    name: isServer ? `${random(SITES)}-${random(ROLES)}-${String(at % 4_000).padStart(4, '0')}` : laptop,
    customName: !isServer && at % 10 === 4 ? `${capital(first)}’s ${model}` : null,
    serialNumber: at % 20 === 0 ? 'Default string' : sign(random, 10),
    lastLoggedInUser: isServer ? null : `CORP\\${first}.${last}`,
    addresses: at % 3 === 0 ? [] : [`203.0.${at % 114}.${at % 251}`],
    privateAddresses: [
      `10.${at % 40}.${(at >> 8) & 255}.${at & 255}`,
      ...(at % 4 === 0 ? [`fe80::${(at + 1).toString(16)}`] : []),
    ],
    compliant: at % 7 !== 0,
  });
}

function sign(random: Random, length: number): string {
  return Array.from({ length }, () => random(SIGNS)).join('');
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** Numerical Recipes' generator: the same choices on every machine. */
function createRandom(seed: number): Random {
  let state = seed;
  return <T>(choices: ArrayLike<T>): T => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const choice = choices[Math.floor((state / 2 ** 32) * choices.length)];
    if (choice === undefined) throw new Error('nothing to choose from');
    return choice;
  };
}
