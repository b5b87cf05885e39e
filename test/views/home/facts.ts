/** What a Home is drawn from, and what stands in it. */
import { alertId, approvalId, channelId, operationId, personId, userGroupId } from '../../../src/ids.ts';
import { renderHome } from '../../../src/views/home/home.ts';
import { type HomeFacts, type HomeView, homeView, linkedCards } from '../../../src/views/home/home-model.ts';
import { START } from '../../harness/builders.ts';
import { anAlert, anApproval, aRecentOperation, aTarget, someFacts } from '../../harness/records.ts';
import { texts } from '../drawn.ts';
import { type Filling, many } from '../filling.ts';
import { aPause } from '../setting-samples.ts';

export const ME = personId('U0ME');
export const HER = personId('U0HER');

export function factsOf({ text, count }: Filling, given: Partial<HomeFacts> = {}): HomeFacts {
  const target = someFacts({
    displayName: text,
    hostname: text,
    groupName: text,
    osName: text,
    lastLoggedInUser: text,
    missing: many(Math.min(count, 50), () => text),
  });
  const request = (at: number, requesterId: typeof ME) =>
    anApproval({
      id: approvalId(`a_${requesterId}${at}`),
      requesterId,
      reason: text,
      note: at % 2 === 0 ? text : null,
      targets: at % 4 === 3 ? [target, target] : [target],
    });
  return {
    person: ME,
    role: 'admin',
    personal: true,
    root: '/fleet',
    asOf: START,
    channels: { approvals: channelId('C0APPROVALS'), patchAlerts: channelId('C0PATCHALERTS') },
    deciders: { people: [personId(text), HER], userGroups: [userGroupId('S0APPROVERS')] },
    waiting: many(count, (at) => request(at, HER)),
    requests: many(count, (at) => request(at, ME)),
    operations: many(count, (at) =>
      aRecentOperation({
        id: operationId(`o_${at}`),
        requesterId: ME,
        reason: text,
        targets: [aTarget({ displayName: text, evidence: text, response: text })],
      }),
    ),
    failures: many(count, (at) =>
      anAlert({
        id: alertId(`n_${at}`),
        deviceName: text,
        reason: text,
        packages: many(Math.min(count, 50), () => ({ name: text, displayName: text })),
        createdAt: START,
      }),
    ),
    fleet: {
      kind: 'counted',
      asOf: START,
      unlisted: count,
      partial: true,
      overdue: true,
      devices: count * 3,
      compliant: count,
      noncompliant: count,
      pending: count,
      offline: count,
      needsReboot: count,
    },
    health: { slack: true, database: true, readAt: START, failures: 1, troubles: [] },
    pause: aPause({ reason: text, by: personId(text) }),
    ...given,
  };
}

export const PLAIN: Filling = { text: 'web-01', count: 2 };

const draw = (view: HomeView) =>
  renderHome(view, new Map(linkedCards(view).map((key) => [key, `https://example.slack.com/${key}`])));

export const drawn = (given: Partial<HomeFacts> = {}, filling = PLAIN) =>
  draw(homeView(factsOf(filling, given)));

export const wordsOf = (given: Partial<HomeFacts> = {}, filling = PLAIN) =>
  texts(drawn(given, filling).blocks)
    .map(({ text }) => text)
    .join('\n');

/** Every action with the value that it carries. */
export const buttonsOf = (given: Partial<HomeFacts> = {}, filling = PLAIN) =>
  [...JSON.stringify(drawn(given, filling).blocks).matchAll(/"action_id":"([^"]+)"/g)].map(([, id]) => id);
