/** Rollouts in each of their states. */
import { DAY, HOUR, later } from '../../../src/lib/clock.ts';
import { deviceId } from '../../../src/lib/ids.ts';
import type { RolloutHold } from '../../../src/rollout/progress.ts';
import type { EvidenceList } from '../../../src/store/port/evidence.ts';
import type { TargetCounts } from '../../../src/store/port/request-records.ts';
import type { View } from '../../../src/views/model.ts';
import { START } from '../../harness/builders.ts';
import { aTarget, someFacts, somePackages } from '../../harness/records.ts';
import { aRollout, aRolloutRequest, aSummary } from '../../harness/rollouts.ts';
import { readyTargets } from '../request-records.ts';
import { APPROVER, repeated, type SampleContent, type ViewSample } from './sample-content.ts';

const HOLDS: readonly RolloutHold[] = [
  { kind: 'paused', by: APPROVER, at: START },
  { kind: 'paused', by: null, at: START },
  { kind: 'braked', bad: 3, ended: 8, at: START },
  { kind: 'unanswered', sends: 5, at: START },
  { kind: 'gate', at: START },
  { kind: 'stopped', by: APPROVER, at: START },
  { kind: 'stopped', by: null, at: START, why: 'rights' },
];

export function rollouts({ text, count }: SampleContent): readonly ViewSample[] {
  const devices = Math.max(count, 2);
  const top = { top: repeated(6, (at) => ({ name: text, devices: at })), more: count };
  const summary = aSummary({
    offline: 1,
    loggedIn: 2,
    servers: 1,
    rebootPending: 3,
    excluded: 4,
    groups: top,
    systems: { top: [{ name: null, devices }], more: 0 },
    packages: top,
  });
  const facts = someFacts({ displayName: text, groupName: text, packages: somePackages(text) });
  const targets = readyTargets(
    ...repeated(Math.min(devices, 50), (at) => ({ ...facts, deviceId: deviceId(1001 + at) })),
  );
  const decided = { decidedBy: APPROVER, decidedAt: START } as const;
  const evidence: EvidenceList = [
    { kind: 'install-failed', packages: [text], words: text, installed: 0, total: 1 },
  ];
  const failed = aTarget({ displayName: text, state: 'not_verified', endedAt: START, evidence });
  const problems = repeated(Math.min(devices, 50), () => failed);
  const away = aTarget({ displayName: text, state: 'queued', deadlineAt: later(START, DAY) });
  const offline = repeated(Math.min(count, 50), () => away);
  const view = (
    state: 'waiting' | 'approved' | 'running' | 'ended',
    counts: TargetCounts,
    hold: RolloutHold | null = null,
  ): View => ({
    kind: 'request',
    request: aRolloutRequest({
      state,
      reason: text,
      targets,
      counts,
      ...(state === 'waiting' ? {} : decided),
      rollout: aRollout(devices, { summary, hold }),
    }),
    details: {
      waves: [{ verified: 1 }],
      problems,
      offline,
      onlyOffline: false,
      least: { from: START, ms: HOUR },
    },
  });
  const under = { verified: 1, ready: devices - 1, open: devices - 1 };
  const running = aRolloutRequest({
    state: 'running',
    ...decided,
    targets,
    counts: under,
    rollout: aRollout(devices),
  });
  const paging = {
    command: 'operations',
    input: { of: running.id, group: null },
    page: 0,
    pages: 3,
    total: devices,
    asOf: START,
  };
  const rows = repeated(count, () => failed);
  return [
    [
      'the results of a rollout',
      { kind: 'results', request: running, group: null, rows, link: text, paging },
    ],
    [
      'the failed devices of a rollout',
      { kind: 'results', request: running, group: 'failed', rows, link: null, paging },
    ],
    [
      'the message about a rollout',
      {
        kind: 'completion',
        request: { ...running, state: 'ended', counts: { verified: 1, refused: devices - 1 } },
        link: text,
        details: { waves: [], problems, offline: [], onlyOffline: false, least: null },
      },
    ],
    [
      'the message that a rollout stands still',
      {
        kind: 'held',
        to: 'approver',
        request: { ...running, rollout: aRollout(devices, { hold: { kind: 'gate', at: START } }) },
        link: text,
      },
    ],
    [
      'a list with rollouts',
      {
        kind: 'operations',
        rows: repeated(Math.min(count, 10), () => ({ request: running, link: text })),
        open: count,
        paging,
      },
    ],
    ['a rollout that waits', view('waiting', { ready: devices, open: devices })],
    ['an approved rollout', view('approved', { ready: devices, open: devices })],
    ['a rollout that runs', view('running', under)],
    ...HOLDS.map(
      (hold, at): ViewSample => [`a rollout that is held (${hold.kind} ${at})`, view('running', under, hold)],
    ),
    ['a rollout that worked', view('ended', { verified: devices })],
    ['a rollout that partly worked', view('ended', { verified: 1, not_verified: devices - 1, failed: 1 })],
  ];
}
