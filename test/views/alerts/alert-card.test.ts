import { describe, expect, it } from 'vitest';
import { patchCommand } from '../../../src/commands/patch.ts';
import { channelId, policyId } from '../../../src/lib/ids.ts';
import { eventText } from '../../../src/views/device/event-list.ts';
import { readButtonValue } from '../../../src/views/kit/buttons.ts';
import type { View } from '../../../src/views/model.ts';
import { toCsv } from '../../../src/views/sharing/csv.ts';
import { renderView } from '../../../src/views/views.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { aDevice, aFleetEvent, aPackage, START } from '../../harness/builders.ts';
import { anAlert } from '../../harness/records.ts';
import { renderedButtons, renderedText } from '../rendered-text.ts';

describe('what a policy’s script printed', () => {
  const printed = { reason: 'password=hunter2', policyId: policyId(5), exitCode: 3 };
  const paging = { command: 'alerts', input: {}, page: 0, pages: 1, total: 1, asOf: START };

  it.each(['policy-failed', 'policy-run'] as const)('is on no card, list or file (%s)', (kind) => {
    const alert = anAlert({ ...printed, kind });
    const storm = { first: alert, shown: [alert], alerts: 2, devices: 2, taken: null } as const;
    const list: View = {
      kind: 'alerts',
      of: { kind: 'all', days: 7, readAt: START, silences: [] },
      rows: [alert],
      paging,
    };
    const views: readonly View[] = [
      { kind: 'alert', alert },
      { kind: 'alert-group', channel: channelId('C0OPS'), ...storm },
      list,
    ];
    for (const view of views) {
      const drawn = renderView(view);
      expect(JSON.stringify(drawn)).not.toContain('hunter2');
      expect(renderedText(drawn)).toContain('exit code 3');
    }
    for (const card of views.slice(0, 2))
      expect(renderedText(renderView(card))).toContain('in the management service’s console');
    const file = toCsv(list)?.text ?? '';
    expect(file).not.toContain('hunter2');
    expect(file).toContain(',3,');
  });

  it('is in no list or file of events, and in no timeline', () => {
    const event = aFleetEvent(7, {
      name: 'system.policy.action',
      exitCode: 3,
      patches: [],
      failure: 'password=hunter2',
      text: 'password=hunter2',
    });
    expect(String(eventText(event, true))).toBe(
      '⛔ *Policy failed*: exit code 3 · output in the management service’s console',
    );
    const question = 'events';
    const list: View = {
      ...{ kind: 'events', device: null, question, counted: null, checked: null, since: START, until: null },
      ...{ rows: [event], paging: { ...paging, command: 'events' } },
    };
    expect(JSON.stringify(renderView(list))).not.toContain('hunter2');
    expect(toCsv(list)?.text).not.toContain('hunter2');
  });
});

it('says when the restart or the patch of a notification is scheduled', () => {
  const event = aFleetEvent(7, { name: 'system.notification.sent', scheduledTime: START });
  expect(String(eventText(event, true))).toContain('scheduled for <!date^');
});

it.each(['patch-failed', 'device-added'] as const)('%s names the system as the device card does', (kind) => {
  const alert = anAlert({ kind, operatingSystem: '11 Pro 23H2' });
  expect(renderedText(renderView({ kind: 'alert', alert }))).toContain('Windows 11 Pro 23H2');
});

describe('failed patch', () => {
  const view: View = { kind: 'alert', alert: anAlert({ reason: 'exit `1` <b>' }) };

  it('shows the reason as code', () => {
    expect(renderedText(renderView(view))).toContain('`exit ˋ1ˋ &lt;b&gt;`');
  });

  it('offers device, scan and a retry that the patch command accepts', async () => {
    const offered = renderedButtons(renderView(view));
    expect(offered.map(({ action }) => action)).toEqual([
      'device',
      'scan',
      'retry',
      'acknowledge',
      'silence:device',
    ]);
    const value = readButtonValue(offered[2]?.value ?? '');
    if (value?.do !== 'form') throw new Error('a retry opens a form');
    expect(value.command).toBe('patch');
    const { ports } = testPorts({ devices: [aDevice()], packages: [aPackage()] });
    expect(await patchCommand.plan(value.input, ports)).toMatchObject({
      kind: 'proposal',
      proposal: { command: { kind: 'patch', packages: ['openssl'] }, reason: 'Retry after: exit `1` <b>' },
    });
  });

  it('leaves the retry out when its packages are too many for a button, and says what to do', () => {
    const packages = Array.from({ length: 300 }, (_, at) => ({ name: `package-${at}`, displayName: null }));
    const shown = renderView({ kind: 'alert', alert: anAlert({ packages }) });
    expect(renderedButtons(shown).map(({ action }) => action)).not.toContain('retry');
    expect(renderedText(shown)).toContain('Too many packages for a retry button. Use the patch command.');
  });
});

describe('alerts of several devices on one card', () => {
  const named = (deviceName: string) =>
    anAlert({ deviceName, packages: [{ name: 'openssl', displayName: null, version: '3.0.2' }] });
  const shown = (names: readonly string[], devices: number, alerts = devices) =>
    renderedText(
      renderView({
        ...{ kind: 'alert-group', channel: channelId('C0OPS'), first: named('web-10'), taken: null },
        ...{ shown: names.map(named), devices, alerts },
      }),
    );

  it('offers a form to retry on all of its devices, unless the packages are too many for a button', () => {
    const view = { kind: 'alert-group', channel: channelId('C0OPS'), shown: [], taken: null } as const;
    const first = anAlert({ reason: 'exit 100' });
    const drawn = renderView({ ...view, first, devices: 50, alerts: 61 });
    const retry = renderedButtons(drawn).find(({ action }) => action === 'retry');
    expect(JSON.stringify(drawn.blocks)).toContain('Retry (50)');
    expect(readButtonValue(retry?.value ?? '')).toEqual({
      do: 'form',
      command: 'patch',
      input: {
        alerts: { card: first.id, channel: 'C0OPS' },
        packages: ['openssl'],
        reason: 'Retry after: exit 100',
      },
    });
    const actionsOf = (shownView: View) => renderedButtons(renderView(shownView)).map(({ action }) => action);
    const packages = Array.from({ length: 300 }, (_, at) => ({ name: `package-${at}`, displayName: null }));
    const many: View = { ...view, first: anAlert({ packages }), devices: 2, alerts: 2 };
    expect(actionsOf(many)).not.toContain('retry');
    expect(renderedText(renderView(many))).toContain('Too many packages for a retry button.');
    for (const other of [{ kind: 'policy-failed' }, { packages: [] }] as const)
      expect(actionsOf({ ...view, first: anAlert(other), devices: 2, alerts: 2 })).not.toContain('retry');
  });

  it('names devices in the order in which people look for them', () => {
    expect(shown(['web-10', 'app-2', 'web-9'], 5)).toContain('app-2, web-9, web-10 and 2 more');
  });

  it('leaves the version out of the title, since it may differ', () => {
    expect(shown(['web-10', 'web-9'], 2)).toMatch(/^⛔ \*Patch failed on 2 devices\*: openssl\n/);
  });

  it('counts alerts only where they are not as many as the devices', () => {
    expect(shown(['web-10', 'web-9'], 2)).toContain('First patch failure <!date^');
    expect(shown(['web-10', 'web-9'], 2, 7)).toContain('7 patch failures since <!date^');
  });
});
