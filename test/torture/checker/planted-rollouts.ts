/** Violations of what is promised of rollouts, as the tests of the checker plant them. */
import { bar, button, CLEAN, chained, NOW, shown } from './clean-world.ts';
import type { TableRow } from './evidence.ts';
import {
  another,
  audited,
  changed,
  edited,
  type Planted,
  tables,
  withMessage,
  withRequest,
} from './planting.ts';

const MINUTE = 60_000;
const SENT = 'command sent once for each claim';
const OLD = 'nothing old is sent';
const LIVE = 'no live button on an ended card';
const STUCK = 'nothing is stuck';
const HELD = 'a held rollout claims nothing';
const LOST = 'lost answers hold a rollout';
const WAVE = 'a rollout stays in its wave';
const RELEASED = 'another approver lets a rollout go on';
const COUNTS = 'a rollout’s card counts its devices';
const ENDS = 'an approval ends';
const PROVES = 'a wave proves something';
const TOLD_ONCE = 'people are told of a rollout once';

const happened = (action: string, detail: TableRow): TableRow => {
  const about = { at: NOW - 15 * MINUTE, actor: 'patchbay', subject: 'r_1' };
  return { ...about, action, detail };
};
const claim = (device: number) => happened('operation.issuing', { device });
const lost = (device: number) =>
  happened('operation.unknown', { device, evidence: '[{"kind":"answer-lost"},{"kind":"looking"}]' });

/** It stood still; an approver can let it go on from the message. */
export const HELD_MESSAGE = shown('returned:r_1.held.7@U0APPROVER', '@approver', {
  state: 'posted',
  blocks: [button('control:resume')],
});

export const PLANTED_IN_ROLLOUTS: Planted = [
  ['a device of a rollout that got its command twice', SENT, withRequest(another(4052, 'Reboot'))],
  ['a control of a rollout that ended', LIVE, edited('approval:r_1', { blocks: [button('control:resume')] })],
  ['closing a rollout that ended', LIVE, edited('approval:r_1', { blocks: [button('control:close')] })],
  ['a control in a message about a rollout that ended', LIVE, withMessage(HELD_MESSAGE)],
  [
    'a device of a rollout that waits for ever',
    STUCK,
    changed('request_targets', (row) => row['request_id'] === 'r_1' && row['position'] === 2, {
      state: 'ready',
      ended_at: null,
    }),
  ],
  [
    'a device of a rollout that was sent long after anything else',
    OLD,
    tables({
      audit: CLEAN.tables.audit.map((row) =>
        row['subject'] === 'r_1' ? { ...row, at: NOW - 2 * 60 * MINUTE } : row,
      ),
    }),
  ],
  [
    'a claim after the brake',
    HELD,
    audited('rollout.braked', { action: 'operation.issuing', detail: { device: 4053 } }, true),
  ],
  [
    'a claim after a device went wrong, though the plan brakes there',
    'a rollout brakes',
    tables(chained([claim(4052), happened('operation.refused', { device: 4052 }), claim(4053)])),
  ],
  [
    'a claim after lost answers in a row',
    LOST,
    tables(
      chained([
        ...[4051, 4052, 4053, 4054, 4055].flatMap((device) => [claim(device), lost(device)]),
        claim(4056),
      ]),
    ),
  ],
  [
    'a claim beyond the wave',
    WAVE,
    audited('rollout.wave-ended', { action: 'approval.reason-added', detail: {} }),
  ],
  ['a claim after the approval ended', ENDS, audited('approval.approved', { at: NOW - 75 * MINUTE })],
  [
    'a wave after one of which nothing was verified',
    PROVES,
    audited('operation.verified', { action: 'operation.not_verified' }),
  ],
  ['a rollout that its requester resumed', RELEASED, audited('rollout.resumed', { actor: 'U0OPERATOR' })],
  ['a rollout that an outsider resumed', RELEASED, audited('rollout.resumed', { actor: 'U0OUTSIDER' })],
  [
    'a rollout that was resumed without a press',
    RELEASED,
    { ...CLEAN, acts: CLEAN.acts.filter(({ what }) => what !== 'control:resume') },
  ],
  ['a card that forgets a device', COUNTS, edited('approval:r_1', { blocks: [bar('2 verified')] })],
  ['a card that counts otherwise', COUNTS, edited('approval:r_1', { blocks: [bar('1 verified, 2 failed')] })],
  [
    'a rollout that ended without a message',
    TOLD_ONCE,
    {
      ...CLEAN,
      messages: CLEAN.messages.filter(({ key }) => key !== 'told:approval:r_1'),
    },
  ],
  [
    'a brake without a line in the thread',
    TOLD_ONCE,
    tables({ cards: CLEAN.tables.cards.filter(({ key }) => key !== 'line:r_1.1.braked') }),
  ],
];
