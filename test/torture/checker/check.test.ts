/** The checker finds each planted violation, by the intended rule, and nothing in a clean world. */
import { describe, expect, it } from 'vitest';
import { check, countsOf } from './check.ts';
import {
  AGENT,
  ALERTS,
  button,
  CLEAN,
  chained,
  event,
  NEW_DEVICE,
  NOW,
  OPENSSL,
  shown,
} from './clean-world.ts';
import { HARMLESS_AGREEMENTS, PLANTED_IN_AGREEMENTS } from './planted-agreements.ts';
import { HARMLESS, PLANTED_IN_JOURNALS } from './planted-journals.ts';
import { HELD_MESSAGE, PLANTED_IN_ROLLOUTS } from './planted-rollouts.ts';
import {
  another,
  changed,
  edited,
  id,
  ofRequest,
  type Planted,
  tables,
  withEvent,
  withMessage,
  withRequest,
} from './planting.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const ALERT = 'alert shown exactly once';
const ONCE = 'message shown once';
const SENT = 'command sent once for each claim';
const APPROVED = 'command approved';
const OLD = 'nothing old is sent';
const TOLD = 'what is told as sent was sent';
const STATE = 'visible cards show the state of the database';
const RECORDED = 'shown cards are the recorded ones';
const LIVE = 'no live button on an ended card';
const STUCK = 'nothing is stuck';
const AUDIT = 'the audit chain is intact';
const TERRIBLE = 'nothing terrible is written';

const PLANTED: Planted = [
  ...PLANTED_IN_ROLLOUTS,
  ...PLANTED_IN_JOURNALS,
  ...PLANTED_IN_AGREEMENTS,
  ['a failure that is on no card', ALERT, { ...CLEAN, messages: CLEAN.messages.slice(1) }],
  ['a new device whose card is in another channel', ALERT, edited(NEW_DEVICE, { place: ALERTS })],
  ['a new device whose card names another', ALERT, edited(NEW_DEVICE, { text: 'New device: new-8' })],
  ['a failure whose card is in another channel', ALERT, edited(OPENSSL, { place: 'C0OTHER' })],
  ['a card that names another device', ALERT, edited(OPENSSL, { text: 'Patch failed on web-09' })],
  ['a card that counts too few devices', ALERT, edited(AGENT, { devices: 1 })],
  ['a card that counts too many devices', ALERT, edited(AGENT, { devices: 3 })],
  ['a card that is resolved though one device fails', ALERT, edited(AGENT, { state: 'resolved' })],
  ['a card that counts a fix that no event proves', ALERT, edited(AGENT, { fixed: 2 })],
  ['a card that misses a fix', ALERT, edited(AGENT, { fixed: 0 })],
  [
    'a card that still fires though all is fixed',
    ALERT,
    withEvent(event(21, 'system.patch.applied', 'web-02', ['acme-agent'])),
  ],
  ['a fix of another package that is taken for one', ALERT, edited(OPENSSL, { state: 'resolved', fixed: 1 })],
  [
    'a failure that is on two cards',
    ALERT,
    withMessage(shown(`${AGENT}.1`, ALERTS, { state: 'firing', devices: 2, fixed: 1 })),
  ],
  ['a failure that no silence held, and no card shows', ALERT, tables({ silences: [] })],
  [
    'a failure that a silence of yesterday cannot have held',
    ALERT,
    changed('silences', () => true, { created_at: NOW - DAY, ended_at: NOW - DAY }),
  ],
  [
    'a failure that a silence of another package cannot have held',
    ALERT,
    changed('silences', () => true, { scope: '{"kinds":[],"device":null,"patch":"curl"}' }),
  ],
  [
    'an alert that is shown twice',
    ONCE,
    withMessage(shown(OPENSSL, ALERTS, { text: 'web-01', ts: 'another' })),
  ],
  [
    'a direct message that came twice',
    ONCE,
    withMessage(shown('told:approval:a_1', '@operator', { state: 'verified', ts: 'another' })),
  ],
  ['a reboot that was sent twice', SENT, withRequest(another(4001, 'Reboot'))],
  [
    'a second sending whose answer was lost',
    SENT,
    withRequest(another(4001, 'Reboot', { status: null, fault: 'cut-after' })),
  ],
  ['a command that nobody claimed', SENT, withRequest(another(4002, 'GetOS'))],
  [
    'a request that nobody knows of',
    SENT,
    withRequest({ ...another(1, ''), method: 'DELETE', path: '/servers/4001' }),
  ],
  [
    'a command that is told as refused and was sent',
    SENT,
    changed('request_targets', ofRequest('o_1'), { state: 'refused' }),
  ],
  [
    'a command that is told as not sent and was sent',
    SENT,
    changed('request_targets', ofRequest('o_1'), { state: 'not_sent' }),
  ],
  ['a reboot without a request', APPROVED, changed('requests', id('a_1'), { expires_at: null })],
  ['a reboot whose request was denied', APPROVED, changed('requests', id('a_1'), { state: 'denied' })],
  [
    'a reboot approved by the one who asked',
    APPROVED,
    changed('requests', id('a_1'), { decided_by: 'U0OPERATOR' }),
  ],
  ['an approval that nobody pressed', APPROVED, { ...CLEAN, acts: CLEAN.acts.slice(0, 1) }],
  [
    'a scan sent three days after it was asked for',
    OLD,
    changed('requests', id('o_1'), { created_at: NOW - 3 * DAY }),
  ],
  [
    'a reboot sent an hour after it was approved',
    OLD,
    changed('requests', id('a_1'), { decided_at: NOW - 80 * MINUTE }),
  ],
  [
    'a scan that is new in the database, but nobody asked of late',
    OLD,
    {
      ...CLEAN,
      acts: [{ at: NOW - DAY, user: 'operator', kind: 'press', what: 'scan' }, ...CLEAN.acts.slice(1)],
    },
  ],
  [
    'a reboot that is told as verified and was never sent',
    TOLD,
    {
      ...CLEAN,
      requests: CLEAN.requests.filter(({ sent }) => JSON.stringify(sent)?.includes('Reboot') !== true),
    },
  ],
  ['a request’s card that is behind', STATE, edited('approval:a_1', { state: 'waiting' })],
  ['a command’s card that is behind', STATE, edited('operation:o_1', { state: 'accepted' })],
  ['a direct message that says what is not so', STATE, edited('told:approval:a_1', { state: 'unknown' })],
  [
    'a card that is recorded and not shown',
    RECORDED,
    tables({ cards: [...CLEAN.tables.cards, { ...CLEAN.tables.cards[0], key: 'pause:p_1' }] }),
  ],
  ['a card that is shown and not recorded', RECORDED, withMessage(shown('pause:p_1', ALERTS))],
  ['a card that is recorded at another message', RECORDED, edited('approval:a_3', { ts: 'another' })],
  ['a denied request that can be approved', LIVE, edited('approval:a_3', { blocks: [button('approve')] })],
  [
    'an approved request that can still be denied',
    LIVE,
    changed('requests', id('a_2'), { state: 'approved' }),
  ],
  [
    'a verified request that can be withdrawn',
    LIVE,
    edited('approval:a_1', { blocks: [button('withdraw:now')] }),
  ],
  ['overdue work', STUCK, changed('work', () => true, { due_at: NOW - 30 * MINUTE })],
  ['work that somebody holds for ever', STUCK, changed('work', () => true, { lease_token: 'gone' })],
  [
    'a card that is not up to date',
    STUCK,
    changed('cards', (row) => row['key'] === OPENSSL, { wanted_revision: 3 }),
  ],
  [
    'a card that was given up',
    STUCK,
    changed('cards', (row) => row['key'] === OPENSSL, { failure: 'not_found' }),
  ],
  [
    'a card that was never posted',
    STUCK,
    tables({ cards: [...CLEAN.tables.cards, { ...CLEAN.tables.cards[0], key: 'pause:p_1', ts: null }] }),
  ],
  [
    'a command that is being sent for ever',
    STUCK,
    changed('request_targets', ofRequest('o_1'), { state: 'issuing', ended_at: null }),
  ],
  [
    'a command that nobody follows any more',
    STUCK,
    changed('request_targets', ofRequest('o_1'), {
      state: 'queued',
      ended_at: null,
      deadline_at: NOW - DAY,
    }),
  ],
  [
    'a request that goes on although all of it ended',
    STUCK,
    changed('requests', id('o_1'), { state: 'running' }),
  ],
  ['a request that should have expired', STUCK, changed('requests', id('a_2'), { expires_at: NOW - DAY })],
  ['a bot that never came to rest', STUCK, { ...CLEAN, unrest: `card ${OPENSSL}` }],
  [
    'an audit entry that was changed',
    AUDIT,
    changed('audit', (row) => row['sequence'] === 2, { actor: 'U0OTHER' }),
  ],
  [
    'an audit entry that was removed',
    AUDIT,
    tables({ audit: CLEAN.tables.audit.filter((row) => row['sequence'] !== 2) }),
  ],
  ['an audit whose end was cut off', AUDIT, tables({ audit: CLEAN.tables.audit.slice(0, 2) })],
  [
    'an audit that was made anew without its head',
    AUDIT,
    tables({ audit: chained(CLEAN.tables.audit.slice(0, 2)).audit }),
  ],
  ['an unhandled rejection', TERRIBLE, { ...CLEAN, lines: ['[UnhandledPromiseRejection: reason]'] }],
  ['a process that crashed', TERRIBLE, { ...CLEAN, lines: ['Node.js v24.21.0'] }],
  ['a token in a line', TERRIBLE, { ...CLEAN, lines: ['token xoxb-secret'] }],
  [
    'a response URL in a line',
    TERRIBLE,
    { ...CLEAN, lines: ['http://127.0.0.1:1/commands/T1/42/verysecret'] },
  ],
  ['a key in a message', TERRIBLE, edited(OPENSSL, { text: 'web-01 management-key' })],
];

describe('the checker', () => {
  it('finds nothing in a world where all is well', () => {
    expect(check(CLEAN)).toEqual([]);
  });

  it.each(PLANTED)('finds %s (%s)', (_what, rule, evidence) => {
    expect(check(evidence).map((finding) => finding.rule)).toContain(rule);
  });

  it('has a planted violation for each of its rules', () => {
    expect(new Set(PLANTED.map(([, rule]) => rule)).size).toBe(countsOf(CLEAN).checks);
  });

  it.each([...HARMLESS, ...HARMLESS_AGREEMENTS])('allows %s', (_what, evidence) => {
    expect(check(evidence)).toEqual([]);
  });

  it('allows a copy that only says where its card went, and private answers with a card’s key', () => {
    const copy = { ...shown('', ALERTS, { text: 'This message moved' }), key: null };
    expect(check(withMessage(copy))).toEqual([]);
    expect(check(withMessage({ ...shown(OPENSSL, ALERTS, { ts: 'x' }), ephemeral: true }))).toEqual([]);
  });

  it('allows a card that was replaced, and one that counts what a silence may have held', () => {
    const replaced = edited(AGENT, { state: 'posted', devices: null, fixed: null });
    const newer = shown(`${AGENT}.1`, ALERTS, { state: 'acknowledged', devices: 2, fixed: 1 });
    const card = CLEAN.tables.cards.find(({ key }) => key === AGENT);
    const cards = [...CLEAN.tables.cards, { ...card, key: newer.key, ts: newer.ts }];
    const world = {
      ...replaced,
      messages: [...replaced.messages, newer],
      tables: { ...CLEAN.tables, cards },
    };
    expect(check(world)).toEqual([]);
    expect(check(withEvent(event(22, 'system.patch.failed', 'db-09', ['held'])))).toEqual([]);
  });

  it('allows the controls in a message about a rollout that stands still', () => {
    const { tables: held } = changed('requests', id('r_1'), { state: 'running' });
    const ready = changed('request_targets', ofRequest('r_1'), { state: 'ready' }).tables.request_targets;
    const world = { ...withMessage(HELD_MESSAGE), tables: { ...held, request_targets: ready } };
    const aboutMessages = check(world).filter(({ rule }) => rule === LIVE || rule === STATE);
    expect(aboutMessages.filter(({ what }) => what.includes('returned:'))).toEqual([]);
  });

  it('counts a request that was refused with a 429 as not sent', () => {
    expect(check(withRequest(another(4001, 'Reboot', { status: 429, fault: 'throttle' })))).toEqual([]);
  });

  it('counts what was checked', () => {
    expect(countsOf(CLEAN)).toMatchObject({
      events: 10,
      alerts: 6,
      messages: 14,
      commands: 5,
      writes: 5,
      posts: 1,
    });
  });
});
