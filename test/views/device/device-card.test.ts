import { describe, expect, it } from 'vitest';
import { deviceId, policyId } from '../../../src/lib/ids.ts';
import { readButtonValue } from '../../../src/views/kit/buttons.ts';
import type { ButtonValue, RenderedMessage } from '../../../src/views/model.ts';
import { renderView } from '../../../src/views/views.ts';
import { aDevice, aPolicy, START } from '../../harness/builders.ts';
import { renderedButtons, renderedText } from '../rendered-text.ts';
import { brokenRules } from '../slack-message-rules.ts';

const PAGES = ['hardware', 'volumes', 'network', 'updates', 'policies', 'timeline'];

type Option = { readonly value: string };
function optionsOf({ blocks }: RenderedMessage): readonly Option[] {
  const elements = blocks.flatMap(({ elements: all }) => (Array.isArray(all) ? all : []));
  return elements.flatMap(({ options = [] }: { readonly options?: readonly Option[] }) => options);
}

/** The page, or the command of the form. */
function whatIs(value: ButtonValue): string | undefined {
  if (value.do === 'device') return value.page;
  return value.do === 'form' ? value.command : undefined;
}

describe('device card', () => {
  const shown = renderView({ kind: 'device', device: aDevice(), groupName: 'Linux servers' });

  it('shows state, system, group, tags, last seen, pending patches and need of a reboot', () => {
    for (const part of [
      '*State*\nOnline',
      'Ubuntu 24.04',
      'Linux servers',
      '*Tags*\n`web`',
      '*Last seen*\nNow',
      '*Pending patches (required by policies)*\n3',
      '*Reboot required*\nYes',
    ]) {
      expect(renderedText(shown)).toContain(part);
    }
  });

  it('offers what can be done', () => {
    const offered = renderedButtons(shown).map(({ action }) => action);
    expect(offered).toEqual(['packages', 'queue', 'scan', 'patch', 'more', 'reboot']);
  });

  it.each([
    ['who may change it', {}, [...PAGES, 'device-edit']],
    ['who may only look', { lookOnly: { ask: [] } }, PAGES],
  ])('offers in its menu the pages, and the form to %s', (_who, reader, expected) => {
    const card = renderView({ kind: 'device', device: aDevice(), groupName: null, ...reader });
    const values = optionsOf(card).map(({ value }) => readButtonValue(value));
    expect(values.map((value) => value !== null && whatIs(value))).toEqual(expected);
  });

  it('carries a device of any number in its menu', () => {
    const device = aDevice({ id: deviceId(999_999_999_999_999) });
    const card = renderView({ kind: 'device', device, groupName: null });
    expect(optionsOf(card)).toHaveLength(PAGES.length + 1);
    expect(brokenRules(card)).toEqual([]);
  });

  it('shows how long ago it was seen and scanned', () => {
    const device = aDevice({ connected: false, lastDisconnectTime: START, lastRefreshTime: START });
    const away = renderedText(renderView({ kind: 'device', device, groupName: null }));
    expect(away).toMatch(/\*Last seen\*\n<!date[^|]*\(\{ago\}\)\|/);
    expect(away).toMatch(/\*Last scan\*\n<!date[^|]*\(\{ago\}\)\|/);
  });

  it('has no row for what the service does not state', () => {
    const device = aDevice({
      ...{ osFamily: null, osName: null, osVersion: null, groupId: null, tags: [], connected: null },
      ...{ lastDisconnectTime: null, lastRefreshTime: null, lastUpdateTime: null, lastProcessTime: null },
      ...{ pendingPatches: null, needsReboot: null, compliant: null },
      ...{ lastLoggedInUser: null, detail: null },
    });
    const labels = renderedText(renderView({ kind: 'device', device, groupName: null })).match(
      /^\*[^*]+\*$/gm,
    );
    expect(labels).toEqual(['*Device web-01*', '*State*', '*ID*']);
  });

  it('distinguishes zero from unknown', () => {
    const none = renderView({
      kind: 'device',
      device: aDevice({ pendingPatches: 0, needsReboot: false }),
      groupName: null,
    });
    expect(renderedText(none)).toContain('*Pending patches (required by policies)*\n0');
    const unsaid = renderView({
      kind: 'device',
      device: aDevice({ pendingPatches: null, connected: null }),
      groupName: null,
    });
    expect(renderedText(unsaid)).not.toContain('Pending patches');
    expect(renderedText(unsaid)).not.toMatch(/not stated/i);
    expect(renderedText(unsaid)).toContain('*State*\nConnection unknown');
  });
});

describe('a device that is not compliant', () => {
  const text = (over: Parameters<typeof aDevice>[0]) =>
    renderedText(renderView({ kind: 'device', device: aDevice(over), groupName: null, asOf: START }));
  const policies = [aPolicy({ id: policyId(7), name: 'Disable SMBv1' })];

  it('says which policies it fails', () => {
    const policyCompliance = [
      { policyId: policyId(7), compliant: false },
      { policyId: policyId(8), compliant: false },
      { policyId: policyId(9), compliant: true },
    ];
    expect(text({ compliant: false, policies, policyCompliance })).toContain(
      '*Compliance*\nNot compliant with: Disable SMBv1, policy 8',
    );
  });

  it('has no such row while it complies, or where that is not stated', () => {
    for (const compliant of [true, null]) expect(text({ compliant })).not.toContain('Compliance');
  });

  it.each([
    [true, 'non-compliant', false],
    [false, 'compliant', false],
    [true, 'unmanaged', true],
    [null, 'non-compliant', true],
  ] as const)('where compliant is %s, the word %s is shown: %s', (compliant, policyStatus, isShown) => {
    expect(text({ compliant, policyStatus }).includes(`policy status: ${policyStatus}`)).toBe(isShown);
  });

  it('says when it was read', () => {
    expect(text({})).toContain('As of <!date^');
  });
});
