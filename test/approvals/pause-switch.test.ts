import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPauseSwitch } from '../../src/approvals/pause-switch.ts';
import type { PauseControl } from '../../src/commands/settings/settings-port.ts';
import { MINUTE, SECOND } from '../../src/lib/clock.ts';
import type { FailpointName } from '../../src/lib/failpoints.ts';
import { cardKey, channelId, personId } from '../../src/lib/ids.ts';
import { timePlaceholder } from '../../src/operations/evidence-text.ts';
import { type ActingSetup, ALICE, APPROVALS, BOB, createActingSetup } from '../operations/acting-setup.ts';

const CAROL = personId('U_CAROL');
const reboot = { kind: 'reboot' } as const;
const scan = { kind: 'scan' } as const;

let line: ActingSetup;
let pause: PauseControl;
let at: FailpointName | null;
beforeEach(async () => {
  at = null;
  line = await createActingSetup({
    onFailpoint: async (name) => {
      if (name === at) await pause.begin(CAROL, 'storm');
    },
  });
  const { store, clock } = line;
  pause = createPauseSwitch({ store, clock, approvalsChannel: APPROVALS, wakeWorker: () => {} });
});
afterEach(() => line.close());

const audited = async () => (await line.store.audit.list(0, 100)).map(({ action }) => action);

describe('while changes are paused', () => {
  it('a request is refused, and leaves nothing behind', async () => {
    await pause.begin(CAROL, 'storm');
    for (const command of [reboot, scan]) {
      expect(await line.desk.request(await line.order(command))).toMatchObject({
        kind: 'paused',
        pause: { by: CAROL, reason: 'storm' },
      });
    }
    await line.settle();
    expect(await line.store.approvals.list({}, 10)).toEqual([]);
    expect(await line.store.operations.recent(10)).toEqual([]);
    expect(line.fleet.world.posts).toEqual([]);
    expect(await audited()).toEqual(['changes.paused']);
  });

  it('a repeated delivery of what was asked before is answered as it was', async () => {
    const order = await line.order(reboot);
    const first = await line.desk.request(order);
    await pause.begin(CAROL, null);
    expect(await line.desk.request(order)).toMatchObject({ kind: 'asked', already: true });
    expect(first).toMatchObject({ kind: 'asked', already: false });
  });

  it('nothing can be approved; denying and withdrawing still work', async () => {
    const approval = await line.ask(reboot);
    await pause.begin(CAROL, null);
    expect(await line.approve(approval)).toMatchObject({ kind: 'paused', pause: { by: CAROL } });
    expect(await line.approvalNow(approval)).toEqual(approval);
    const deny = { approvalId: approval.id, person: BOB, role: 'approver', seal: approval.seal } as const;
    expect(await line.desk.decide({ ...deny, decision: 'deny' })).toMatchObject({ kind: 'denied' });
  });

  it('somebody who may not approve gets that answer first', async () => {
    const approval = await line.ask(reboot);
    await pause.begin(CAROL, null);
    expect(await line.approve(approval, ALICE)).toEqual({ kind: 'own-request' });
  });

  it('what was sent before is followed to its proof', async () => {
    await line.start(scan);
    await line.settle();
    expect(line.fleet.world.posts).toEqual([scan]);
    await pause.begin(CAROL, null);
    expect(await line.store.work.nextDue()).not.toBeNull();
    await line.pass(MINUTE);
    expect(line.fleet.world.posts).toEqual([scan]);
    const [operation] = await line.store.operations.recent(1);
    expect(operation?.targets[0]?.evidence).not.toContain('paused');
  });
});

describe('what was approved when a pause started', () => {
  it('goes back to the approver, and does not run when the pause is over', async () => {
    at = 'approval.decided';
    const approval = await line.ask(reboot);
    const since = line.clock.now();
    expect(await line.approve(approval)).toMatchObject({ kind: 'approved' });
    await line.settle();
    const back = await line.approvalNow(approval);
    expect(back).toMatchObject({ state: 'waiting', decidedBy: null, operationId: null, seal: approval.seal });
    expect(back.note).toBe(
      `Not sent: all changes have been paused since ${timePlaceholder(since)} (reason: storm).`,
    );
    at = null;
    await pause.end(CAROL);
    await line.pass(MINUTE);
    expect(line.fleet.world.posts).toEqual([]);
    expect(await line.approve(back)).toMatchObject({ kind: 'approved' });
    await line.settle();
    expect(line.fleet.world.posts).toEqual([reboot]);
  });

  it('ends unsent where it was claimed just before', async () => {
    at = 'operation.claimed';
    const approval = await line.ask(reboot);
    await line.approve(approval);
    await line.settle();
    expect(line.fleet.world.posts).toEqual([]);
    const target = await line.targetFor(approval);
    expect(target.endedAt).not.toBeNull();
    expect(target.evidence).toContain('all changes have been paused since');
    expect(await pause.current()).not.toBeNull();
  });

  it('goes back too where the pause was over before anybody looked', async () => {
    const approval = await line.ask(reboot);
    await line.approve(approval);
    await line.clock.advance(SECOND);
    await pause.begin(CAROL, null);
    await line.clock.advance(SECOND);
    await pause.end(CAROL);
    await line.settle();
    const back = await line.approvalNow(approval);
    expect(back.state).toBe('waiting');
    expect(back.note).toMatch(/^Not sent: all changes were paused from @\{\d+\} to @\{\d+\}\.$/);
    await line.approve(back);
    await line.settle();
    expect(line.fleet.world.posts).toEqual([reboot]);
  });
});

describe('who is notified that an approved request went back', () => {
  const returned = async (id: string, version: number, person: string) =>
    (await line.store.cards.get(cardKey('returned', `${id}.${version}`, channelId(person)))) !== null;

  it('are the requester and the approver, once each time', async () => {
    const approval = await line.ask(reboot);
    await line.approve(approval);
    await pause.begin(CAROL, 'storm');
    await line.settle();
    const back = await line.approvalNow(approval);
    for (const person of [ALICE, BOB]) expect(await returned(back.id, back.version, person)).toBe(true);
    await pause.end(CAROL);
    line.fleet.change({ connected: false });
    await line.approve(back);
    await line.settle();
    const again = await line.approvalNow(approval);
    expect(again.version).toBeGreaterThan(back.version);
    for (const person of [ALICE, BOB]) expect(await returned(again.id, again.version, person)).toBe(true);
    expect(await returned(again.id, again.version, CAROL)).toBe(false);
  });

  it('is the approver, too, where nothing is left to request', async () => {
    const approval = await line.ask(reboot);
    Object.assign(line.fleet.world, { device: null });
    await line.approve(approval);
    await line.settle();
    const ended = await line.approvalNow(approval);
    expect(ended).toMatchObject({ state: 'approved', decidedBy: BOB });
    expect(await returned(ended.id, ended.version, BOB)).toBe(true);
    expect(await line.store.cards.get(cardKey('told', cardKey('approval', ended.id)))).not.toBeNull();
  });

  it('is nobody where it was sent', async () => {
    const approval = await line.ask(reboot);
    await line.approve(approval);
    await line.settle();
    const { id, version } = await line.approvalNow(approval);
    for (let one = 1; one <= version; one += 1) expect(await returned(id, one, ALICE)).toBe(false);
  });
});

describe('a command that needs no approval', () => {
  it.each([
    ['begins', async () => {}, 'all changes have been paused since'],
    ['begins and ends', () => pause.end(CAROL), 'all changes were paused from'],
  ])('ends unsent where a pause %s before it is claimed', async (_what, then, words) => {
    const id = await line.start(scan);
    await pause.begin(CAROL, null);
    await line.clock.advance(SECOND);
    await then();
    await line.settle();
    const operation = await line.store.operations.get(id);
    expect(operation?.targets).toMatchObject([{ state: 'not_sent' }]);
    expect(operation?.targets[0]?.evidence).toContain(`Not sent: ${words}`);
    await pause.end(CAROL);
    await line.pass(MINUTE);
    expect(line.fleet.world.posts).toEqual([]);
  });
});

describe('the switch', () => {
  it('takes reasons while it lasts: they are on its card, and in the audit with their authors', async () => {
    await pause.begin(CAROL, null);
    const { pause: first } = await pause.begin(BOB, 'storm');
    expect(first).toMatchObject({ by: CAROL, reason: 'storm' });
    const key = cardKey('pause', first.id);
    expect(await line.store.cards.get(key)).toMatchObject({ wantedRevision: 2 });
    expect(await pause.begin(ALICE, 'fire')).toMatchObject({
      kind: 'reason-added',
      pause: { reason: 'storm; fire' },
    });
    expect(await pause.begin(BOB, 'storm')).toMatchObject({ kind: 'already' });
    expect(await line.store.pause.get(first.id)).toMatchObject({ by: CAROL, reason: 'storm; fire' });
    const lines = await line.store.audit.list(0, 10);
    expect(lines.map(({ action, actor, detail }) => [action, actor, detail['reason']])).toEqual([
      ['changes.paused', CAROL, null],
      ['changes.pause-reason-added', BOB, 'storm'],
      ['changes.pause-reason-added', ALICE, 'fire'],
    ]);
  });

  it('keeps the newest reason where all of them are too long', async () => {
    await pause.begin(CAROL, 'a'.repeat(500));
    const last = 'b'.repeat(500);
    expect(await pause.begin(BOB, last)).toMatchObject({ pause: { reason: last } });
  });

  it('switches once, is announced once, and is in the audit', async () => {
    const first = await pause.begin(CAROL, 'storm');
    expect(await pause.begin(BOB, null)).toEqual({ kind: 'already', pause: first.pause });
    const card = await line.store.cards.get(`pause:${first.pause.id}`);
    expect(card).toMatchObject({ channel: APPROVALS, wantedRevision: 1 });
    expect(await pause.end(BOB)).toMatchObject({ endedBy: BOB });
    expect(await pause.end(BOB)).toBeNull();
    expect(await line.store.cards.get(`pause:${first.pause.id}`)).toMatchObject({ wantedRevision: 2 });
    expect(await audited()).toEqual(['changes.paused', 'changes.resumed']);
  });
});
