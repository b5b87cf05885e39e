/**
 * Whether Slack accepts our cards: one of each kind, with invented data, goes to `blocks.validate`, which posts nothing
 * (docs.slack.dev/reference/methods/blocks.validate).
 */
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { DeviceFacts } from '../fleet/facts/facts.ts';
import { DAY, type Instant, later, MINUTE, wallNow } from '../lib/clock.ts';
import {
  alertId,
  type CardKind,
  channelId,
  deviceId,
  eventId,
  groupId,
  organizationId,
  pauseId,
  personId,
  queueEntryId,
  requestId,
} from '../lib/ids.ts';
import { planRollout } from '../rollout/plan.ts';
import { startRollout } from '../rollout/progress.ts';
import { readSlackError, slackErrorText } from '../slack/web-api/slack-errors.ts';
import type { AlertMember, ShownAlert } from '../store/port/alert-records.ts';
import type { RequestTarget, RequestWithTargets } from '../store/port/request-records.ts';
import { renderView, type View } from '../views/views.ts';
import { type Finding, failFinding, okFinding, slackRemedy, warnFinding } from './finding.ts';

const CARDS_CHECK = 'Slack cards';

/** One finding for all cards: the first that Slack refuses, or how many it accepts. */
export async function checkCards(reads: Pick<WebClient, 'blocks'>): Promise<Finding> {
  const cards = Object.entries(sampleCards(wallNow())).flatMap(([kind, views]) =>
    views.map((view) => ({ kind, blocks: [...renderView(view).blocks] })),
  );
  for (const { kind, blocks } of cards) {
    const refusal = await reads.blocks.validate({ blocks }).then(
      () => null,
      (error: unknown) => error,
    );
    if (refusal !== null) return refusalFinding(kind, refusal);
  }
  return okFinding(CARDS_CHECK, `Slack accepts all ${cards.length} sample cards`);
}

/** What `blocks.validate` answers beside its error. */
const problemsSchema = z.object({
  data: z.object({
    error: z.enum(['invalid_blocks', 'invalid_message']),
    errors: z.array(z.object({ pointer: z.string(), message: z.string() })),
  }),
});

function refusalFinding(kind: string, error: unknown): Finding {
  const refused = problemsSchema.safeParse(error);
  if (refused.success) {
    const [first] = refused.data.data.errors;
    const where = first === undefined ? '' : ` (${first.pointer}: ${first.message})`;
    return failFinding(
      CARDS_CHECK,
      `Slack rejects the sample card "${kind}"${where}`,
      'update Patchbay, or report this line; such cards are posted in a plainer form meanwhile',
    );
  }
  const fault = readSlackError(error);
  // Workspaces on older servers, and substitutes for Slack, may not have the method.
  return warnFinding(
    CARDS_CHECK,
    `could not be checked: ${slackErrorText(fault)}`,
    slackRemedy(fault, 'nothing to do: cards are posted in a plainer form where Slack rejects them'),
  );
}

const ORGANIZATION = organizationId(1);
const [REQUESTER, APPROVER] = [personId('U0EXAMPLE1'), personId('U0EXAMPLE2')];
const CHANNEL = channelId('C0EXAMPLE');

const ROLLOUT_DEVICES = 40;

/** As people see them first and, where they change, as they end. `now` is the time that they show. */
export function sampleCards(now: Instant): Readonly<Record<CardKind, readonly View[]>> {
  const alert = sampleAlert(now);
  const asked = sampleRequest(now, { kind: 'reboot' }, 'waiting', later(now, DAY));
  const verified = sampleRequest(now, { kind: 'reboot' }, 'ended', later(now, DAY));
  const rollout = {
    ...asked,
    rollout: startRollout(planRollout(ROLLOUT_DEVICES), now),
    counts: { ready: ROLLOUT_DEVICES, open: ROLLOUT_DEVICES },
  };
  const returned = {
    ...asked,
    note: { kind: 'paused', since: now, endedAt: null, reason: 'example' },
  } as const;
  const silence = {
    organizationId: ORGANIZATION,
    number: 1,
    reason: 'example',
    createdBy: REQUESTER,
    createdAt: now,
    scope: { kinds: ['patch-failed'], group: null, device: null, patch: null },
    until: later(now, DAY),
    endedAt: null,
    endedBy: null,
    kept: 0,
  } as const;
  const pause = {
    id: pauseId('p_example'),
    by: REQUESTER,
    reason: 'example',
    since: now,
    endedBy: null,
    endedAt: null,
  };
  const over = { endedAt: later(now, MINUTE), endedBy: APPROVER };
  const link = 'https://example.slack.com/archives/C0EXAMPLE/p1';
  return {
    alert: [
      { kind: 'alert', alert, channel: CHANNEL, group: 'Example servers' },
      { kind: 'alert', alert: { ...alert, kind: 'device-added', packages: [] }, channel: CHANNEL },
      { kind: 'alert', alert: { ...alert, members: 12, open: 12, devices: 12 }, channel: CHANNEL },
      { kind: 'alert', alert: { ...alert, open: 0, openDevices: 0, fixedDevices: 1 }, channel: CHANNEL },
      { kind: 'alert-moved', alert, link },
    ],
    approval: [
      { kind: 'request', request: asked },
      { kind: 'request', request: verified },
      { kind: 'request', request: rollout },
    ],
    operation: [{ kind: 'request', request: sampleRequest(now, { kind: 'scan' }, 'running', null) }],
    pause: [
      { kind: 'pause-card', pause },
      { kind: 'pause-card', pause: { ...pause, ...over } },
    ],
    silence: [
      {
        kind: 'silence-over',
        silence: { ...silence, ...over },
        channel: CHANNEL,
        kept: [{ kind: 'patch-failed', alerts: 3 }],
      },
    ],
    silent: [{ kind: 'silence-on', silence, channel: CHANNEL }],
    told: [{ kind: 'completion', request: verified, link }],
    returned: [{ kind: 'returned', to: 'approver', request: returned, link }],
    line: [{ kind: 'rollout-line', request: rollout, incident: { kind: 'wave-ended', wave: 0 }, waves: [] }],
    nudge: [{ kind: 'nudge', request: asked, nudge: 'remind', approverGroups: [] }],
    trouble: [{ kind: 'trouble', trouble: { kind: 'slack-disconnected' }, since: now, endedAt: null }],
  };
}

function sampleAlert(now: Instant): ShownAlert {
  const id = alertId('example');
  const member: AlertMember = {
    organizationId: ORGANIZATION,
    id: 'example',
    alert: id,
    kind: 'patch-failed',
    state: 'open',
    deviceId: deviceId(1),
    deviceName: 'example-01',
    operatingSystem: 'Example Linux 1',
    packages: [{ name: 'openssl', displayName: 'OpenSSL' }],
    reason: 'exit status 100',
    policyId: null,
    policyName: null,
    exitCode: null,
    userId: null,
    firstAt: now,
    failures: 1,
    failedAt: now,
    failedEvent: eventId(1),
    fixedAt: null,
    fixedEvent: null,
    closedAt: null,
    closedEvent: null,
  };
  return {
    organizationId: ORGANIZATION,
    id,
    number: eventId(1),
    key: 'example',
    kind: 'patch-failed',
    home: CHANNEL,
    state: 'open',
    openedAt: now,
    changedAt: now,
    endedAt: null,
    acknowledgedBy: null,
    acknowledgedAt: null,
    lastEndedAt: null,
    lastOwner: null,
    members: 1,
    open: 1,
    closed: 0,
    devices: 1,
    openDevices: 1,
    fixedDevices: 0,
    failures: 1,
    firstAt: now,
    lastEnd: null,
    packages: member.packages,
    reasons: [{ reason: member.reason, exitCode: null, members: 1 }],
    shown: [member],
    heldBy: null,
    card: null,
  };
}

function sampleRequest(
  now: Instant,
  action: RequestWithTargets['action'],
  state: 'waiting' | 'running' | 'ended',
  expiresAt: Instant | null,
): RequestWithTargets {
  const id = requestId('r_example');
  const target = sampleTarget(now, id, state);
  return {
    organizationId: ORGANIZATION,
    id,
    version: 1,
    state,
    action,
    requesterId: REQUESTER,
    seal: 'example',
    fingerprint: 'example',
    requestKey: 'example',
    reason: 'example',
    createdAt: now,
    expiresAt,
    ...(state === 'waiting' || expiresAt === null
      ? { decidedBy: null, decidedAt: null }
      : { decidedBy: APPROVER, decidedAt: now }),
    comment: null,
    approvedBy: null,
    approvedAt: null,
    note: null,
    startedAt: now,
    endedAt: state === 'ended' ? now : null,
    askedLastHour: 1,
    typedCount: false,
    reach: 1,
    rules: {
      digest: '',
      requester: { in: [], out: [] },
      demands: [],
      approvals: [],
      since: now,
      told: [],
      refusedBy: [],
      runs: [],
    },
    rollout: null,
    counts: { [target.state]: 1, ...(state === 'ended' ? {} : { open: 1 }) },
    targets: [target],
  };
}

function sampleTarget(
  now: Instant,
  request: RequestTarget['requestId'],
  state: 'waiting' | 'running' | 'ended',
): RequestTarget {
  const ended = state === 'ended';
  const before = {
    at: now,
    connected: true,
    lastRefreshTime: now,
    lastDisconnectTime: null,
    uptime: 1,
    needsReboot: true,
    queueIds: [],
    missing: [],
    policy: null,
  };
  return {
    requestId: request,
    deviceId: deviceId(1),
    position: 0,
    displayName: 'example-01',
    facts: sampleFacts(now),
    before,
    queueEntryId: queueEntryId(1),
    issuedAt: now,
    state: ended ? 'verified' : state === 'running' ? 'queued' : 'ready',
    acceptedAt: now,
    queuedAt: now,
    missedAt: null,
    answeredAt: null,
    endedAt: ended ? now : null,
    nextAt: null,
    response: null,
    evidence: [],
    deadlineAt: later(now, DAY),
  };
}

function sampleFacts(now: Instant): DeviceFacts {
  return {
    deviceId: deviceId(1),
    identity: { serial: null, uuid: null, created: null },
    hostname: 'example-01',
    displayName: 'example-01',
    groupId: groupId(1),
    groupName: 'Example servers',
    osFamily: 'Linux',
    osName: 'Example Linux',
    osVersion: '1',
    connected: true,
    lastDisconnectTime: null,
    lastLoggedInUser: 'example',
    pendingPatches: 1,
    needsReboot: true,
    packages: [
      { name: 'openssl', version: '3.0.2', severity: 'high', cves: ['CVE-2026-1'], requiresReboot: false },
    ],
    policy: null,
    editable: null,
    asOf: now,
  };
}
