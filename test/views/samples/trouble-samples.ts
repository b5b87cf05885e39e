/** Every problem that Patchbay may have with itself. */
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { channelId, eventId } from '../../../src/lib/ids.ts';
import type { Trouble } from '../../../src/store/port/health-records.ts';
import type { View } from '../../../src/views/model.ts';
import { START } from '../../harness/builders.ts';

export const ALL_TROUBLES: readonly Trouble[] = [
  { kind: 'slack-disconnected' },
  { kind: 'slack-silent' },
  { kind: 'slack-refuses', error: 'token_revoked' },
  { kind: 'slack-refuses', error: 'missing_scope' },
  { kind: 'database-down' },
  { kind: 'database-unwritable', why: 'disk-full' },
  { kind: 'database-unwritable', why: 'read-only' },
  { kind: 'database-unwritable', why: 'broken-disk' },
  { kind: 'events-unread', failures: 3 },
  { kind: 'ids-restarted', newestId: eventId(7), floorId: eventId(90_000) },
  { kind: 'cards-late', cards: 4, alerts: 3 },
  { kind: 'cards-late', cards: 1, alerts: 1 },
  { kind: 'cards-late', cards: 2, alerts: 0 },
  { kind: 'channel-refuses', channel: channelId('C0ALERTS'), error: 'not_in_channel', cards: 5 },
  { kind: 'channel-refuses', channel: channelId('C0ALERTS'), error: 'is_archived', cards: 1 },
  { kind: 'channel-refuses', channel: channelId('U0ADMIN'), error: 'cannot_dm_bot', cards: 1 },
  { kind: 'alerts-given-up', alerts: 2, error: 'invalid_blocks' },
  { kind: 'new-database' },
  { kind: 'new-database', newFrom: START },
  { kind: 'events-missing', from: START, until: later(START, MINUTE), givenUp: false },
  { kind: 'events-missing', from: START, until: later(START, MINUTE), givenUp: true },
  { kind: 'slack-shared', connections: 2 },
  { kind: 'channel-refuses', channel: channelId('C0APPROVALS'), error: 'requests_shortened', cards: 0 },
  { kind: 'service-failing', cause: 'unauthorized', failures: 1 },
  { kind: 'service-failing', cause: 'unreachable', failures: 8 },
  { kind: 'service-failing', cause: 'timeout', failures: 9 },
  { kind: 'service-failing', cause: 'broken', failures: 10 },
  { kind: 'list-doubted', list: 'policies', missing: 2 },
  { kind: 'no-devices' },
  { kind: 'events-unread', failures: 0, neverRead: true },
];

export function troubleViews(): readonly (readonly [string, View])[] {
  return ALL_TROUBLES.flatMap((trouble, index) =>
    [null, START].map(
      (endedAt) =>
        [
          `a trouble ${index}: ${trouble.kind}${endedAt === null ? '' : ', over'}`,
          { kind: 'trouble', trouble, since: START, endedAt } as const,
        ] as const,
    ),
  );
}
