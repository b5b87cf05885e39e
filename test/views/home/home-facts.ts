/** Facts of a Home, and its rendered content. */
import { alertId, channelId, eventId, personId, requestId, userGroupId } from '../../../src/lib/ids.ts';
import {
  type HomeData,
  type HomeView,
  homeView,
  linkedCards,
  renderHome,
} from '../../../src/views/home/home-tab.ts';
import { START } from '../../harness/builders.ts';
import {
  aMember,
  anAlert,
  aRequest,
  aStartedRequest,
  aTarget,
  someFacts,
  somePackages,
} from '../../harness/records.ts';
import { aRolloutRequest } from '../../harness/rollouts.ts';
import { renderedTexts } from '../rendered-text.ts';
import { quoting, readyTargets } from '../request-records.ts';
import { aPause } from '../samples/answer-samples.ts';
import { repeated, type SampleContent } from '../samples/sample-content.ts';

export const ME = personId('U0ME');
export const OTHER_PERSON = personId('U0HER');

export function homeDataOf({ text, count }: SampleContent, given: Partial<HomeData> = {}): HomeData {
  const target = someFacts({
    displayName: text,
    hostname: text,
    groupName: text,
    osName: text,
    lastLoggedInUser: text,
    packages: somePackages(...repeated(Math.min(count, 50), () => text)),
  });
  const request = (at: number, requesterId: typeof ME) =>
    aRequest({
      id: requestId(`r_${requesterId}${at}`),
      requesterId,
      reason: text,
      note: at % 2 === 0 ? { kind: 'unposted', why: text } : null,
      targets: at % 4 === 3 ? readyTargets(target, target) : readyTargets(target),
    });
  const command = (at: number) =>
    aStartedRequest({
      id: requestId(`r_sent${at}`),
      requesterId: ME,
      reason: text,
      targets: [aTarget({ displayName: text, evidence: quoting(text), response: text })],
    });
  return {
    person: ME,
    role: 'admin',
    personal: true,
    root: '/fleet',
    asOf: START,
    channels: { approvals: channelId('C0APPROVALS'), patchAlerts: channelId('C0PATCHALERTS') },
    deciders: { people: [personId(text), OTHER_PERSON], userGroups: [userGroupId('S0APPROVERS')] },
    waiting: repeated(count, (at) => request(at, OTHER_PERSON)),
    groups: [],
    requests: repeated(count, (at) => (at % 2 === 0 ? request(at, ME) : command(at))),
    rollouts: repeated(count, (at) =>
      aRolloutRequest({
        id: requestId(`r_rollout${at}`),
        requesterId: OTHER_PERSON,
        state: 'running',
        counts: { verified: 1, queued: 9, open: 9 },
        reason: text,
      }),
    ),
    alerts: repeated(Math.min(count, 5), (at) => {
      const packages = repeated(Math.min(count, 50), () => ({ name: text, displayName: text }));
      const id = alertId(`patch-failed-${at}`);
      return anAlert([aMember({ deviceName: text, reason: text, packages })], { id, number: eventId(at) });
    }),
    openAlerts: count,
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
    eventsReadAt: START,
    troubles: [],
    silences: [],
    pause: aPause({ reason: text, by: personId(text) }),
    ...given,
  };
}

export const PLAIN: SampleContent = { text: 'web-01', count: 2 };

const draw = (view: HomeView) =>
  renderHome(view, new Map(linkedCards(view).map((key) => [key, `https://example.slack.com/${key}`])));

export const renderedHome = (given: Partial<HomeData> = {}, filling = PLAIN) =>
  draw(homeView(homeDataOf(filling, given)));

export const wordsOf = (given: Partial<HomeData> = {}, filling = PLAIN) =>
  renderedTexts(renderedHome(given, filling).blocks)
    .map(({ text }) => text)
    .join('\n');

/** Every action with its value. */
export const buttonsOf = (given: Partial<HomeData> = {}, filling = PLAIN) =>
  [...JSON.stringify(renderedHome(given, filling).blocks).matchAll(/"action_id":"([^"]+)"/g)].map(
    ([, id]) => id,
  );
