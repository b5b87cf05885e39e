import { describe, expect, it } from 'vitest';
import type { ResolvedRole } from '../../../src/lib/access.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
import { createLog } from '../../../src/lib/log.ts';
import type { ChannelReadersOf } from '../../../src/slack/access/external-channels.ts';
import { consoleLinks, createUnfurl } from '../../../src/slack/sharing/unfurl-links.ts';
import type { SlackResult } from '../../../src/slack/web-api/slack-errors.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { aDevice } from '../../harness/builders.ts';
import { noExternalChannels } from '../harness/open-access.ts';

const TEMPLATE = 'https://console.example.com/device/{id}';
const link = (id: number | string) => `https://console.example.com/device/${id}`;

describe('an address of a device', () => {
  it.each([
    [link(42), 42],
    [`${link(42)}/`, 42],
    [`${link(42)}?o=7#details`, 42],
    [link('042'), null],
    [link('42x'), null],
    [link(''), null],
    ['https://consoleXexample.com/device/42', null],
    ['http://console.example.com/device/42', null],
    [`https://evil.example/?${link(42)}`, null],
  ])('%s is of %s', (url, id) => {
    expect(consoleLinks(TEMPLATE)(url)).toBe(id);
  });

  it('may have its number in the middle', () => {
    const deviceOf = consoleLinks('https://console.example.com/o/7/d/{id}/view');
    expect(deviceOf('https://console.example.com/o/7/d/42/view')).toBe(42);
    expect(deviceOf('https://console.example.com/o/7/d/42')).toBeNull();
  });
});

describe('links to devices', () => {
  const stage = (
    answer: ResolvedRole = { role: 'viewer', maybe: null },
    ends: readonly SlackResult<null>[] = [],
    readersOf: ChannelReadersOf = noExternalChannels,
  ) => {
    const left = [...ends];
    const device = aDevice({ lastLoggedInUser: 'jane', serialNumber: 'SN-1', addresses: ['10.0.0.7'] });
    const { ports, clock } = testPorts({ devices: [device] });
    const shown: { readonly url: string; readonly words: string }[] = [];
    const listener = createUnfurl({
      readersOf,
      template: TEMPLATE,
      ports,
      people: { roleOf: async () => answer },
      web: {
        unfurl: async (_place, drawn) => {
          const end = left.shift();
          if (end !== undefined) return end;
          for (const [url, message] of drawn) shown.push({ url, words: JSON.stringify(message) });
          return { kind: 'ok', value: null };
        },
      },
      log: createLog({ level: 'silent', secrets: [] }),
    });
    const post = (urls: readonly string[], more: Readonly<Record<string, unknown>> = {}) =>
      listener({
        channel: 'C0OPS',
        is_bot_user_member: true,
        user: 'U0VIEWER',
        message_ts: '1.000001',
        source: 'conversations_history',
        links: urls.map((url) => ({ url, domain: 'console.example.com' })),
        ...more,
      });
    return { device, shown, post, clock };
  };

  it('show a summary without what is personal', async () => {
    const { device, shown, post } = stage();
    await post([link(device.id)]);
    expect(shown.map(({ url }) => url)).toEqual([link(device.id)]);
    expect(shown[0]?.words).toContain(device.name);
    for (const personal of ['jane', 'SN-1', '10.0.0.7']) expect(shown[0]?.words).not.toContain(personal);
  });

  it.each(['external', 'unknown'] as const)(
    'are left alone in a channel whose reach is %s',
    async (reach) => {
      const { device, shown, post } = stage(undefined, [], async () => reach);
      await post([link(device.id)]);
      expect(shown).toEqual([]);
    },
  );

  it('are shown once in half an hour and channel', async () => {
    const { device, shown, post, clock } = stage();
    await post([link(device.id)]);
    await post([link(device.id)]);
    expect(shown).toHaveLength(1);
    await post([link(device.id)], { channel: 'C0OTHER' });
    expect(shown).toHaveLength(2);
    await clock.advance(30 * MINUTE);
    await post([link(device.id)]);
    expect(shown).toHaveLength(3);
  });

  it.each<readonly [string, SlackResult<null>, number]>([
    ['was refused', { kind: 'refused', error: 'cannot_unfurl_url' }, 1],
    ['was not taken for now', { kind: 'throttled', retryAfterMs: 1_000 }, 1],
    ['may have been shown', { kind: 'uncertain', detail: 'lost', inFlight: true }, 0],
  ])(
    'that %s is shown the next time only where the channel certainly has not seen it',
    async (_, end, times) => {
      const { device, shown, post } = stage({ role: 'viewer', maybe: null }, [end]);
      await post([link(device.id)]);
      await post([link(device.id)]);
      expect(shown).toHaveLength(times);
    },
  );

  it.each<
    readonly [string, ResolvedRole, (id: number) => readonly string[], Readonly<Record<string, unknown>>]
  >([
    ['of three and more', { role: 'viewer', maybe: null }, (id) => [link(id), link(1), link(2)], {}],
    ['of nobody’s devices', { role: 'viewer', maybe: null }, () => [link(999_999)], {}],
    ['to something else', { role: 'viewer', maybe: null }, () => ['https://console.example.com/x'], {}],
    ['of people without a role', { role: null, maybe: null }, (id) => [link(id)], {}],
    ['of people who are not known', { role: null, maybe: 'admin' }, (id) => [link(id)], {}],
    [
      'where the bot is not',
      { role: 'admin', maybe: null },
      (id) => [link(id)],
      { is_bot_user_member: false },
    ],
    [
      'said to the bot alone, which answers them',
      { role: 'admin', maybe: null },
      (id) => [link(id)],
      { channel: 'D0ME' },
    ],
    ['still being written', { role: 'admin', maybe: null }, (id) => [link(id)], { source: 'composer' }],
  ])('%s show nothing', async (_what, role, urls, more) => {
    const { device, shown, post } = stage(role);
    await post(urls(device.id), more);
    expect(shown).toEqual([]);
  });
});
