/**
 * The data of each event (§6). Content that no source shows is empty or a short text. Sometimes an agent sends none at
 * all.
 */
import { HOUR, type Instant, later } from '../../../lib/clock.ts';
import type { EventData, Family, Software } from '../world/model.ts';
import type { SeededRandom } from '../world/random.ts';
import { type EventDetails, namesText } from '../world/state/event-log.ts';
import { failureReason } from './failure-reasons.ts';
import { SEEDED_GROUPS } from './seed-groups.ts';
import { CONSOLE_USERS } from './seed-organization.ts';
import { updatesFor } from './software.ts';

export const SIMULATED_EVENT_NAMES = [
  'system.patch.applied',
  'system.patch.failed',
  'system.patch.uninstall',
  'system.policy.action',
  'system.notification.sent',
  'system.notification.response',
  'system.add',
  'system.delete',
  'system.group.action',
  'user.create',
  'user.removed',
  'user.login',
  'user.logout',
  'saml.user.create',
  'slack.app.added',
  'slack.app.reinstalled',
  'org.exceeded_endpoint_limit',
] as const;
export type SimulatedEventName = (typeof SIMULATED_EVENT_NAMES)[number];

/** The device of an event, as it was then. */
export type EventSubject = { readonly about: EventDetails; readonly family: Family };

const WITHOUT_DATA = 0.03;
const EMPTY: EventData = {};

/** The data of an event about the organization; sign-ins have none. */
export function organizationEventData(name: SimulatedEventName, random: SeededRandom): EventData | null {
  switch (name) {
    case 'user.create':
    case 'user.removed':
      return randomPerson(random);
    case 'system.group.action':
      return { text: `The settings of the group ${random.pick(NAMED_GROUPS)} were changed` };
    case 'saml.user.create':
    case 'slack.app.added':
    case 'slack.app.reinstalled':
    case 'org.exceeded_endpoint_limit':
      return EMPTY;
    default:
      return null;
  }
}

/** The data of an event about a device. */
export function deviceEventData(
  name: SimulatedEventName,
  random: SeededRandom,
  subject: EventSubject,
  at: Instant,
): EventData | null {
  if (name === 'system.add' || name === 'system.delete') return subject.about;
  if (random.chance(WITHOUT_DATA)) return null;
  const updates = updatesFor(subject.family);
  const { ip, os, systemname } = subject.about;
  switch (name) {
    case 'system.patch.applied':
      return { ip, os, systemname, patches: appliedPatches(random, updates) };
    case 'system.patch.uninstall':
      return { ip, os, systemname, patches: `"${random.pick(updates).name}"` };
    case 'system.patch.failed': {
      const patches = `"${random.pick(updates).name}"`;
      return { ip, os, systemname, failure: failureReason(random, subject.family), patches };
    }
    case 'system.policy.action':
      return policyAction(random, updates);
    case 'system.notification.sent':
      return noticeEventData(notificationId(random), at);
    case 'system.notification.response':
      return { notification_id: notificationId(random), response: random.pick(['install', 'defer']) };
    default:
      return organizationEventData(name, random);
  }
}

/** A notice about something due in an hour, on a device that checked in lately. */
export function noticeEventData(notificationId: number, at: Instant): EventData {
  return {
    notification_id: notificationId,
    scheduled_time: stamp(later(at, HOUR)),
    last_process_time: stamp(later(at, -notificationId)),
  };
}

export function notificationId(random: SeededRandom): number {
  return random.int(50_000, 99_999);
}

const NAMED_GROUPS = SEEDED_GROUPS.map(({ name }) => name).filter((name) => name !== '');

function randomPerson(random: SeededRandom): EventData {
  const { email, firstname, lastname } = random.pick(CONSOLE_USERS);
  return { email, orgname: 'Example Corp', firstname, lastname, trialstart: null, trialend: null };
}

const INSTALLED = 'Installed patches:';
const ACTION_TEXTS = [INSTALLED, 'Evaluation finished.\nFeature: SMB1Protocol\nState : Disabled\n', null];
const EXIT_CODES = [0, '0', '0', 1, '1', -1_073_741_502];

/** The exit code is a text or a number (both were seen live); 0 is success, and negative codes are from Windows. */
function policyAction(random: SeededRandom, updates: readonly Software[]): EventData {
  const status = random.pick(EXIT_CODES);
  const text = random.pick(ACTION_TEXTS);
  return { text: text === INSTALLED ? `${text} "${random.pick(updates).name}"` : text, status };
}

function appliedPatches(random: SeededRandom, updates: readonly Software[]): string {
  const first = random.int(0, updates.length - 1);
  const patches = updates.slice(first, first + random.int(1, 3));
  return random.chance(0.3) ? newerForm(patches) : namesText(patches.map(({ name }) => name));
}

/** `data.patches` of newer agents: `name|version|display name|repo|reboot`, separated by commas. */
function newerForm(patches: readonly Software[]): string {
  return patches
    .map(({ name, version, displayName, repo, requiresReboot }) => {
      const patchName = (displayName ?? name).replaceAll(/[|",]/g, ' ');
      return `"${[name, version, patchName, repo, requiresReboot ? 1 : 0].join('|')}"`;
    })
    .join(',');
}

function stamp(at: Instant): string {
  return `${new Date(at - (at % 1_000)).toISOString().slice(0, 19)}+0000`;
}
