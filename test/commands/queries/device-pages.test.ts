import { describe, expect, it } from 'vitest';
import type { ReadPorts } from '../../../src/commands/core/command.ts';
import { DEVICE_PAGES, deviceCommand } from '../../../src/commands/device.ts';
import type { Device } from '../../../src/fleet/model/resources.ts';
import { DAY, later, MINUTE } from '../../../src/lib/clock.ts';
import { deviceId, eventId, personId, requestId } from '../../../src/lib/ids.ts';
import { renderView } from '../../../src/views/views.ts';
import { aDevice, aGroup, anEvent, aQueueEntry, START } from '../../harness/builders.ts';
import { aReadyTarget, aRequest, aTarget } from '../../harness/records.ts';
import { aRollout, aRolloutRequest } from '../../harness/rollouts.ts';
import type { FakeFleetContent } from '../harness/fake-fleet.ts';
import { testPorts } from '../harness/ports.ts';
import { faultOf, runCommand } from '../harness/run-command.ts';

const devices = [aDevice(), aDevice({ id: deviceId(1002), name: 'front network' })];
const content: FakeFleetContent = { devices, groups: [aGroup()], queue: [aQueueEntry()] };
const ports = (more: FakeFleetContent = {}) => testPorts({ ...content, ...more });

const VIEWS = { facts: 'device', timeline: 'timeline', queue: 'queue' } as const;

describe('device: its pages', () => {
  it.each(DEVICE_PAGES)('reads %s fresh, each time', async (page) => {
    const { ports: given, fleet } = ports();
    const kind = page in VIEWS ? VIEWS[page as keyof typeof VIEWS] : 'device-page';
    const view = await runCommand(deviceCommand, kind, `web-01 ${page}`, given);
    expect(view).toMatchObject({ device: { id: 1001 } });
    await runCommand(deviceCommand, kind, `#1001 ${page.toUpperCase()}`, given);
    expect(fleet.reads.filter((read) => read === 'device')).toHaveLength(2);
  });

  it('is the card of facts where no page is named', async () => {
    const { ports: given } = ports();
    await runCommand(deviceCommand, 'device', 'web-01', given);
    expect(await deviceCommand.run({ device: 1001 }, 0, given)).toMatchObject({ kind: 'device' });
  });

  it('has no button that would be refused, and says whom to ask', async () => {
    const { ports: given } = ports();
    const actionsFor = async (more: Partial<ReadPorts>) =>
      JSON.stringify(renderView(await runCommand(deviceCommand, 'device', 'web-01', { ...given, ...more })));
    const ask = [personId('U0ADMIN')];
    const refused = { kind: 'not-allowed', need: 'operator', role: 'viewer', ask } as const;
    const watcher = await actionsFor({ refusal: async () => refused });
    for (const change of ['scan', 'patch', 'reboot', 'device-edit']) {
      const carried = `command\\":\\"${change}\\"`;
      expect(watcher).not.toContain(carried);
      expect(await actionsFor({ refusal: async () => null })).toContain(carried);
    }
    expect(watcher).toContain('command\\":\\"packages\\"');
    expect(watcher).toContain('<@U0ADMIN>');
    const view = await runCommand(deviceCommand, 'device', 'web-01', {
      ...given,
      refusal: async () => refused,
    });
    const shared = JSON.stringify(renderView({ kind: 'shared', view, by: personId('U0VIEWER') }));
    expect(shared).toContain('Shared by');
    expect(shared).not.toContain('<@U0ADMIN>');
  });

  it('keeps a word that is a page in the name of a device, where quotes or a page after it say so', async () => {
    const { ports: given } = ports();
    const card = await runCommand(deviceCommand, 'device', '"front network"', given);
    expect(card.device.id).toBe(1002);
    const page = await runCommand(deviceCommand, 'device-page', 'front network network', given);
    expect([page.device.id, page.page]).toEqual([1002, 'network']);
    expect(faultOf(deviceCommand, '')).toMatchObject({ kind: 'missing', what: 'Which device?' });
  });

  it('takes a page alone for a name', async () => {
    expect(await runCommand(deviceCommand, 'problem', 'network', ports().ports)).toMatchObject({
      problem: { kind: 'no-such-device', query: 'network', nearest: ['front network'] },
    });
  });

  it('does not offer what was typed', async () => {
    const none = await runCommand(deviceCommand, 'problem', '"back network"', ports().ports);
    expect(none.problem).not.toMatchObject({ nearest: expect.arrayContaining(['back network']) });
  });

  it.each([
    ['web-01 hardwre', 'hardware'],
    ['web-01 volume', 'volumes'],
  ])('offers the page for a typo: %s', async (text, page) => {
    const view = await runCommand(deviceCommand, 'problem', text, ports().ports);
    if (view.problem.kind !== 'no-such-device') throw new Error(view.problem.kind);
    const [offer] = view.problem.offers ?? [];
    expect(offer).toMatchObject({ page, choice: { command: 'device', input: { device: 1001, page } } });
  });

  it('refuses a page that there is not from a button', async () => {
    const view = await deviceCommand.run({ device: 1001, page: 'secrets' }, 0, ports().ports);
    expect(view).toMatchObject({ kind: 'problem', problem: { kind: 'usage' } });
  });

  it('passes what it read to the index', async () => {
    const renamed: Device[] = [aDevice({ name: 'old-name' })];
    const { ports: given } = ports({ devices: renamed });
    await given.inventory.snapshot();
    renamed[0] = aDevice({ name: 'new-name' });
    await runCommand(deviceCommand, 'device-page', '#1001 volumes', given);
    expect(await given.inventory.find('new-name')).toMatchObject({ kind: 'one' });
  });
});

describe('device: its timeline', () => {
  const events = Array.from({ length: 25 }, (_, at) => anEvent({ id: eventId(70_000 + at) }));

  it('has the newest first, each once, a page at a time', async () => {
    const twice = [...events, ...events.slice(0, 3)];
    const { ports: given, fleet } = ports({ events: twice });
    const first = await runCommand(deviceCommand, 'timeline', 'web-01 timeline', given);
    expect(first.rows.map((row) => 'id' in row && row.id)).toEqual(
      Array.from({ length: 10 }, (_, at) => 70_024 - at),
    );
    expect(first.paging).toMatchObject({
      command: 'device',
      input: { device: 1001, page: 'timeline' },
      pages: 3,
      total: 25,
    });
    const last = await runCommand(deviceCommand, 'timeline', 'web-01 timeline', given, 2);
    expect(last.rows).toHaveLength(5);
    expect(fleet.eventQueries[0]).toEqual({ deviceId: 1001, after: later(START, -30 * DAY) });
  });

  it('has what Patchbay was asked to do with the device between its events, each with its link', async () => {
    const at = (minutes: number) => later(START, -minutes * MINUTE);
    const known = [1, 3, null, 7].map((minutes, index) =>
      anEvent({ id: eventId(90 - index), createTime: minutes === null ? null : at(minutes) }),
    );
    const asked = (id: string, minutes: number, device = deviceId(1001)) =>
      aRequest({ id: requestId(id), createdAt: at(minutes), targets: [aTarget({ deviceId: device })] });
    const requests = [
      ...[asked('r_0', 0), asked('r_2', 2, deviceId(1002)), asked('r_3', 4), asked('r_4', 9)],
      asked('r_5', 31 * 24 * 60),
    ];
    const { ports: given } = testPorts({ ...content, events: known }, { requests });
    const { rows, paging } = await runCommand(deviceCommand, 'timeline', 'web-01 timeline', given);
    const shown = rows.map((row) => ('request' in row ? row.request.id : row.id));
    expect(shown).toEqual(['r_0', 90, 89, 'r_3', 87, 'r_4', 88]);
    expect(rows[0]).toMatchObject({ link: 'https://example.slack.com/approval:r_0' });
    expect(paging.total).toBe(7);
    const card = await runCommand(deviceCommand, 'device', 'web-01', given);
    expect(card.requests?.map(({ request }) => request.id)).toEqual(['r_0', 'r_3', 'r_4']);
  });

  it('is no condition of the card: without the database the device is shown alone', async () => {
    const { ports: given } = testPorts(content);
    const fails = async () => Promise.reject(new Error('the database does not answer'));
    const request = aRequest({ createdAt: START });
    for (const broken of [{ requests: fails }, { requests: async () => [request], cardLink: fails }]) {
      const shown = { ...given, records: { ...given.records, ...broken } };
      expect((await runCommand(deviceCommand, 'device', 'web-01', shown)).requests).toEqual([]);
    }
  });

  it('names who requested what, why, and who decided, but not in a channel', async () => {
    const request = aRequest({
      state: 'running',
      ...{ decidedBy: personId('UAPPROVER'), decidedAt: START, createdAt: START },
      targets: [aTarget({ state: 'queued' })],
    });
    const { ports: given } = testPorts(content, { requests: [request] });
    const said =
      /under way since .* \(queued\) · Requested by <@UOPERATOR> · Reason: kernel update · .*Approved by <@UAPPROVER> /;
    for (const [page, kind] of [
      ['facts', 'device'],
      ['timeline', 'timeline'],
    ] as const) {
      const view = await runCommand(deviceCommand, kind, `web-01 ${page}`, given);
      expect(renderView(view).text).toMatch(said);
      const shared = renderView({ kind: 'shared', view, by: personId('UOPERATOR') });
      expect(shared.text).not.toMatch(/UAPPROVER|kernel update/);
    }
  });

  it('stands still with its rollout where its turn has not come', async () => {
    const hold = { kind: 'braked', bad: 2, ended: 9, at: START } as const;
    const request = aRolloutRequest({
      ...{ state: 'running', decidedBy: personId('UAPPROVER'), decidedAt: START, createdAt: START },
      ...{ counts: { verified: 9, ready: 31, open: 31 }, rollout: aRollout(40, { hold }) },
      targets: [aReadyTarget()],
    });
    const { ports: given } = testPorts(content, { requests: [request] });
    const card = renderView(await runCommand(deviceCommand, 'device', 'web-01', given));
    expect(card.text).toContain('Stopped automatically: Reboot');
  });
});
