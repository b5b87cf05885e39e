/** Which spontaneous events happen how often: to a random device, or to the organization. */
import { organizationEventData, type SimulatedEventName } from '../../seed/event-data.ts';
import { CONSOLE_USERS } from '../../seed/seed-organization.ts';
import type { SeededRandom } from '../random.ts';
import { isConnected } from '../state/device-facts.ts';
import { hasPending } from '../state/patches.ts';
import {
  answerRandomNotice,
  logOnSomewhere,
  randomEvent,
  runPolicyOnRandomDevice,
  scanRandomDevice,
  sendRandomNotice,
  uninstallSomething,
  type WorldContext,
} from './random-events.ts';

type SpontaneousEvent = (context: WorldContext, random: SeededRandom) => void;

const EVENTS_BY_PEOPLE: readonly SimulatedEventName[] = [
  'user.login',
  'user.login',
  'user.logout',
  'system.group.action',
];
const RARE_EVENTS: readonly SimulatedEventName[] = [
  'user.create',
  'user.removed',
  'saml.user.create',
  'slack.app.added',
  'slack.app.reinstalled',
  'org.exceeded_endpoint_limit',
];

/** Each with its relative frequency. Nothing happens where no device fits. */
const FREQUENT_EVENTS: readonly (readonly [number, SpontaneousEvent])[] = [
  [4, patchEvent('patch-fails')],
  [4, patchEvent('patch-applies')],
  [2, (context, random) => randomEvent(context, random, 'device-offline', isConnected)],
  [2, (context, random) => randomEvent(context, random, 'device-online', (device) => !isConnected(device))],
  [1, ({ carryOut }) => carryOut({ do: 'device-added' })],
  [1, (context, random) => randomEvent(context, random, 'device-removed', () => true)],
  [4, scanRandomDevice],
  [4, runPolicyOnRandomDevice],
  [2, logOnSomewhere],
  [3, sendRandomNotice],
  [2, answerRandomNotice],
  [1, uninstallSomething],
  [4, (context, random) => organizationEvent(context, random, random.pick(EVENTS_BY_PEOPLE))],
  [1, (context, random) => organizationEvent(context, random, random.pick(RARE_EVENTS))],
];

export const SPONTANEOUS_EVENTS: readonly SpontaneousEvent[] = FREQUENT_EVENTS.flatMap(([times, happening]) =>
  Array.from({ length: times }, () => happening),
);

function patchEvent(apply: 'patch-fails' | 'patch-applies'): SpontaneousEvent {
  return (context, random) =>
    randomEvent(context, random, apply, (device) => hasPending(device, context.clock.now()));
}

function organizationEvent(
  { world, clock }: WorldContext,
  random: SeededRandom,
  name: SimulatedEventName,
): void {
  const { id } = random.pick(CONSOLE_USERS);
  world.events.append({ name, at: clock.now(), userId: id, data: organizationEventData(name, random) });
}
