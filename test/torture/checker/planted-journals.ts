/** Violations that the order of events shows, as the tests of the checker plant them. */
import { CLEAN, chained, NOW } from './clean-world.ts';
import type { Evidence, RecordedRequest, TableRow } from './evidence.ts';
import { audited, changed, type Planted, tables } from './planting.ts';

const MINUTE = 60_000;
const LOOKED = 'a post is looked for before it is repeated';

const slack = (path: string, more: Partial<RecordedRequest> = {}): RecordedRequest => ({
  ...{ at: NOW, service: 'slack', method: 'POST', path, status: 200 },
  ...more,
});
const posted = (more: Partial<RecordedRequest> = {}) =>
  slack('/api/chat.postMessage', { sent: { key: 'notice:n_1', text: 'Patch failed on web-01' }, ...more });
const withRequests = (...more: readonly RecordedRequest[]): Evidence => ({
  ...CLEAN,
  requests: [...CLEAN.requests, ...more],
});

/** The rollout was held long before its last commands, and nobody let it go on. */
const braked = (): readonly TableRow[] =>
  CLEAN.tables.audit
    .filter(({ action }) => action !== 'rollout.resumed')
    .map(({ hash: _, sequence: __, ...row }) => {
      const at = row['action'] === 'rollout.braked' ? NOW - 30 * MINUTE : row['at'];
      return { ...row, at, detail: JSON.parse(String(row['detail'])) };
    });

export const PLANTED_IN_JOURNALS: Planted = [
  ['a post that is repeated unseen', LOOKED, withRequests(posted({ status: 500 }), posted())],
  [
    'a post that is repeated after a look before it',
    LOOKED,
    withRequests(slack('/api/conversations.history'), posted({ fault: 'cut', status: null }), posted()),
  ],
  [
    'a post that is repeated long after a process was resumed',
    LOOKED,
    {
      ...withRequests(posted({ status: 500, at: NOW - MINUTE }), posted()),
      acts: [{ at: NOW - MINUTE, user: 'world', kind: 'bot', what: 'resume' }],
    },
  ],
  [
    'a scan that is claimed while everything is paused',
    'nothing is claimed while everything is paused',
    audited('operation.issued', { action: 'changes.paused', subject: 'p_1', detail: {} }),
  ],
  [
    'a command of a sender whose claim was taken over long before',
    'what another process took over is not sent',
    audited('operation.issued', {
      ...{ at: NOW - 30 * MINUTE, action: 'operation.unknown', subject: 'o_1' },
      detail: { device: 4001, evidence: '[{"kind":"interrupted"}]' },
    }),
  ],
  ['a command long after the brake', 'a held rollout sends nothing', tables(chained(braked()))],
  [
    'a command of the first wave that comes late',
    'waves are sent in order',
    changed('request_targets', ({ device_id: device }) => device === 4053, { position: 0 }),
  ],
  [
    'a command to a device that went offline after the request',
    'what changed after the request gets nothing',
    {
      ...changed('request_targets', ({ request_id: request }) => request === 'a_1', {
        facts: JSON.stringify({ connected: true, asOf: NOW - 21 * MINUTE }),
      }),
      acts: [
        ...CLEAN.acts,
        { at: NOW - 20 * MINUTE, user: 'world', kind: 'world', what: 'device-offline 4001' },
      ],
    },
  ],
];

/** What the same rules let pass. */
export const HARMLESS: readonly (readonly [what: string, evidence: Evidence])[] = [
  [
    'a post that a process sent late that was suspended in its call',
    {
      ...withRequests(posted({ at: NOW - MINUTE }), posted()),
      acts: [...CLEAN.acts, { at: NOW - 5_000, user: 'world', kind: 'bot', what: 'resume' }],
    },
  ],
  [
    'a post that is repeated after a look',
    withRequests(posted({ status: 500 }), slack('/api/conversations.history'), posted()),
  ],
  ['a post after one that was throttled', withRequests(posted({ status: 429, fault: 'throttle' }), posted())],
];
