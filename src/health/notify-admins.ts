/**
 * Notifies admins of problems that the database cannot store. Slack is searched for the message before it is posted, and
 * the message is edited when the problem is over.
 */

import type { ConfigurationFile } from '../config/configuration-file.ts';
import { type Clock, HOUR, type Instant, later } from '../lib/clock.ts';
import type { PersonId } from '../lib/ids.ts';
import type { SlackResult } from '../slack/web-api/slack-errors.ts';
import type { CardMessage, MessageRef, SlackWeb } from '../slack/web-api/slack-web.ts';
import { renderView } from '../views/render.ts';
import { type DetectedTrouble, OVER_MS } from './detect-troubles.ts';

export type DirectNotifier = {
  /** Notifies of each open problem once. A problem that is missing for a while is over. Never throws. */
  readonly notify: (
    troubles: readonly DetectedTrouble[],
    admins: () => Promise<readonly PersonId[]>,
  ) => Promise<void>;
};

/** How far back a message of another replica, or from before a restart, is searched. */
const HISTORY_WINDOW_MS = 6 * HOUR;

type NotifiedTrouble = {
  readonly detected: DetectedTrouble;
  seenAt: Instant;
  readonly messages: Map<PersonId, MessageRef>;
};

export function createDirectNotifier(
  web: Pick<SlackWeb, 'openDirect' | 'cardsInHistory' | 'post' | 'update'>,
  clock: Clock,
): DirectNotifier {
  const notified = new Map<DetectedTrouble['key'], NotifiedTrouble>();

  const remember = (detected: DetectedTrouble): NotifiedTrouble => {
    const known = notified.get(detected.key) ?? { detected, seenAt: clock.now(), messages: new Map() };
    known.seenAt = clock.now();
    notified.set(detected.key, known);
    return known;
  };
  /** Where it stands in somebody's direct messages, told now or before. */
  const notifyPerson = async (found: DetectedTrouble, person: PersonId): Promise<SlackResult<MessageRef>> => {
    const direct = await web.openDirect(person);
    if (direct.kind !== 'ok') return direct;
    const [oldest, latest] = [later(clock.now(), -HISTORY_WINDOW_MS), later(clock.now(), HOUR)];
    const history = await web.cardsInHistory(direct.value, { oldest, latest, cursor: null });
    if (history.kind !== 'ok') return history;
    const message = troubleMessage(found, null);
    const before = history.value.cards.find(({ key }) => key === message.metadata.event_payload['key']);
    if (before !== undefined) return { kind: 'ok', value: { channel: direct.value, ts: before.ts } };
    return web.post(direct.value, message);
  };
  /** Edits the messages of ended problems. What fails is tried again at the next check. */
  const showAsOver = async ({ detected, seenAt, messages }: NotifiedTrouble): Promise<void> => {
    for (const [person, place] of messages) {
      const edited = await web.update(place, troubleMessage(detected, seenAt));
      if (edited.kind === 'ok' || edited.kind === 'refused') messages.delete(person);
    }
    if (messages.size === 0) notified.delete(detected.key);
  };

  return {
    async notify(troubles, admins) {
      const people = troubles.length === 0 ? [] : await admins();
      for (const found of troubles) {
        const { messages } = remember(found);
        for (const person of people) {
          if (messages.has(person)) continue;
          const place = await notifyPerson(found, person);
          if (place.kind === 'ok') messages.set(person, place.value);
        }
      }
      for (const one of [...notified.values()]) {
        const lasts = troubles.some(({ key }) => key === one.detected.key);
        if (!lasts && clock.now() >= later(one.seenAt, OVER_MS)) await showAsOver(one);
      }
    },
  };
}

/** An ended problem has another key, so that it is not mistaken for the next one. */
function troubleMessage({ key, trouble, since }: DetectedTrouble, endedAt: Instant | null): CardMessage {
  const state = endedAt === null ? 'posted' : 'over';
  const name = endedAt === null ? `trouble:${key}` : `trouble:${key}:over`;
  const message = renderView({ kind: 'trouble', trouble, since, endedAt });
  return { ...message, metadata: { event_type: 'patchbay_card', event_payload: { key: name, state } } };
}

const MAX_NOTIFIED = 20;

/**
 * Whom to notify of Patchbay's own problems: admins, or approvers if the configuration file names no admin. A user group
 * that cannot be read is left out; people named by id are notified anyway.
 */
export function createAdminReader({ roles }: ConfigurationFile, web: Pick<SlackWeb, 'userGroupMembers'>) {
  const membersOf = async ({
    people,
    userGroups,
  }: ConfigurationFile['roles']['admin']): Promise<readonly PersonId[]> => {
    const groups = await Promise.all(userGroups.map((group) => web.userGroupMembers(group)));
    return [...people, ...groups.flatMap((asked) => (asked.kind === 'ok' ? asked.value : []))];
  };
  return async (): Promise<readonly PersonId[]> => {
    const admins = await membersOf(roles.admin);
    const people = admins.length > 0 ? admins : await membersOf(roles.approver);
    return [...new Set(people)].slice(0, MAX_NOTIFIED);
  };
}
