/** What can happen by itself, and how often: to a device chosen by chance, or to the organization. */
import { type EventName, organizationData } from '../seed/happenings.ts';
import { CONSOLE_USERS } from '../seed/organization.ts';
import {
  logOn,
  notify,
  order,
  reply,
  runPolicyOnOne,
  type Surroundings,
  scanOne,
  uninstall,
} from './chance-deeds.ts';
import { isConnected } from './facts.ts';
import { hasPending } from './patches.ts';
import type { Random } from './random.ts';

type Happening = (around: Surroundings, random: Random) => void;

const BY_PEOPLE: readonly EventName[] = ['user.login', 'user.login', 'user.logout', 'system.group.action'];
const RARE: readonly EventName[] = [
  'user.create',
  'user.removed',
  'saml.user.create',
  'slack.app.added',
  'slack.app.reinstalled',
  'org.exceeded_endpoint_limit',
];

/** Each with how often it happens, out of all of these. Nothing happens where no device suits. */
const OFTEN: readonly (readonly [number, Happening])[] = [
  [4, patching('patch-fails')],
  [4, patching('patch-applies')],
  [2, (around, random) => order(around, random, 'device-offline', isConnected)],
  [2, (around, random) => order(around, random, 'device-online', (device) => !isConnected(device))],
  [1, ({ carryOut }) => carryOut({ do: 'device-added' })],
  [1, (around, random) => order(around, random, 'device-removed', () => true)],
  [4, scanOne],
  [4, runPolicyOnOne],
  [2, logOn],
  [3, notify],
  [2, reply],
  [1, uninstall],
  [4, (around, random) => toOrganization(around, random, random.pick(BY_PEOPLE))],
  [1, (around, random) => toOrganization(around, random, random.pick(RARE))],
];

export const HAPPENINGS: readonly Happening[] = OFTEN.flatMap(([times, happening]) =>
  Array.from({ length: times }, () => happening),
);

function patching(deed: 'patch-fails' | 'patch-applies'): Happening {
  return (around, random) => order(around, random, deed, (device) => hasPending(device, around.clock.now()));
}

function toOrganization({ world, clock }: Surroundings, random: Random, name: EventName): void {
  const { id } = random.pick(CONSOLE_USERS);
  world.events.append({ name, at: clock.now(), userId: id, data: organizationData(name, random) });
}
