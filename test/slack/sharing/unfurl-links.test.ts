import { describe, expect, it } from 'vitest';
import { createResultCaches } from '../../../src/commands/lists/result-cache.ts';
import type { ResolvedRole, Role } from '../../../src/lib/access.ts';
import { MINUTE } from '../../../src/lib/clock.ts';
import { channelId, personId } from '../../../src/lib/ids.ts';
import { createLog, silentLog } from '../../../src/lib/log.ts';
import {
  type ChannelReaders,
  type ChannelReadersOf,
  createChannelReaders,
} from '../../../src/slack/access/external-channels.ts';
import { createShareAnswer } from '../../../src/slack/sharing/share-answer.ts';
import { consoleLinks, createUnfurl } from '../../../src/slack/sharing/unfurl-links.ts';
import { createClients } from '../../../src/slack/web-api/clients.ts';
import type { SlackResult } from '../../../src/slack/web-api/slack-errors.ts';
import { createSlackWeb } from '../../../src/slack/web-api/slack-web.ts';
import { type RepeatedCommand, renderView, type View } from '../../../src/views/views.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { slackAnswering } from '../../doctor/slack-answering.ts';
import { aDevice } from '../../harness/builders.ts';
import { NO_GROUPS } from '../../harness/rules.ts';
import { noExternalChannels } from '../harness/open-access.ts';
import { createPersonalDataBot, leaks, OPS, USER } from '../harness/personal-data-bot.ts';

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
  const ADMIN: ResolvedRole = { role: 'admin', maybe: null };
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
      people: { roleOf: async () => answer, ...NO_GROUPS },
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
    ['where the bot is not', ADMIN, (id) => [link(id)], { is_bot_user_member: false }],
    ['said to the bot alone, which answers them', ADMIN, (id) => [link(id)], { channel: 'D0ME' }],
    ['still being written', ADMIN, (id) => [link(id)], { source: 'composer' }],
  ])('%s show nothing', async (_what, role, urls, more) => {
    const { device, shown, post } = stage(role);
    await post(urls(device.id), more);
    expect(shown).toEqual([]);
  });
});

/** A Slack that answers `conversations.info` with this. */
async function reachIn(answer: object, allowed: 'allow' | readonly (typeof OPS)[] = []) {
  let requests = 0;
  const { slack } = await slackAnswering(() => {
    requests += 1;
    return answer;
  });
  const reachOf = createChannelReaders(createSlackWeb(createClients(slack, silentLog)), allowed);
  return { reach: await reachOf(OPS), asked: requests };
}
const channel = (flags: unknown) => ({ ok: true, channel: { id: OPS, ...(flags as object) } });

describe('the reach of a channel', () => {
  it.each<[string, unknown, ChannelReaders]>([
    ['shared with nobody', { is_ext_shared: false, is_pending_ext_shared: false }, 'internal'],
    [
      'shared within the enterprise',
      { is_ext_shared: false, is_shared: true, is_org_shared: true },
      'internal',
    ],
    ['shared', { is_ext_shared: true }, 'external'],
    ['offered to another organization', { is_ext_shared: false, is_pending_ext_shared: true }, 'external'],
    ['connected with another team', { is_ext_shared: false, connected_team_ids: ['T2'] }, 'external'],
    ['waiting for another team', { is_ext_shared: false, pending_connected_team_ids: ['T2'] }, 'external'],
    ['without flags', {}, 'unknown'],
  ])('%s', async (_, flags, expected) => {
    expect((await reachIn(channel(flags))).reach).toBe(expected);
  });

  it('is not known where Slack does not show the channel', async () => {
    expect((await reachIn({ ok: false, error: 'missing_scope' })).reach).toBe('unknown');
  });

  it.each([['allow' as const], [[OPS]]])('is not read where the file allows it (%s)', async (allowed) => {
    expect(await reachIn(channel({ is_ext_shared: true }), allowed)).toEqual({ reach: 'internal', asked: 0 });
  });

  it('is read where the file allows another channel', async () => {
    const other = [channelId('C0OTHER')];
    expect((await reachIn(channel({ is_ext_shared: true }), other)).reach).toBe('external');
  });
});

describe('what is shared', () => {
  const view = { kind: 'silences', rows: [], asOf: 0 };
  it.each([
    ['external', /is shared with another organization/],
    ['unknown', /Slack didn’t say whether/],
  ] as const)('is refused in words where the reach is %s', async (reach, words) => {
    const said: unknown[] = [];
    const runCommand = async () => ({ kind: 'shareable', view, share: true, file: false }) as never;
    const say = async (...given: readonly unknown[]) => {
      said.push(given);
      return { kind: 'refused', error: 'not expected' } as const;
    };
    const share = createShareAnswer({ runCommand }, { say }, async () => reach);
    const caller = { person: personId('U1'), channel: OPS };
    const answer = await share({ name: 'status', input: {}, page: 0, caller, requestKey: 'k' });
    expect(said).toEqual([]);
    expect(answer === null ? '' : renderView(answer).text).toMatch(words);
  });
});

const ANN = personId('UANN');
const BOB = personId('UBOB');
/** All devices have this user; only people who see personal data find them. */
const BY_USER = `devices ${USER}`;

/** Ann’s role, which changes. */
function createDesk(first: Role | null) {
  let role = first;
  const bot = createPersonalDataBot((person) => (person === ANN ? role : 'operator'));
  const asks = async (text: string) =>
    again(await bot.dispatch.runText(text, { person: ANN, channel: OPS }, 'k'));
  const order = ({ command, input, page = 0 }: RepeatedCommand, person = ANN) => {
    return { name: command, input, page, caller: { person, channel: OPS }, requestKey: 'k' };
  };
  const become = (now: Role | null): void => {
    role = now;
  };
  const page = async (list: RepeatedCommand, at: number, person = ANN) =>
    listed(await bot.dispatch.runCommand({ ...order(list, person), page: at }));
  return { ...bot, asks, order, become, page };
}

function again(view: View): RepeatedCommand {
  if (view.kind !== 'shareable') throw new Error(JSON.stringify(view));
  return view.again;
}

function listed(view: View) {
  const inner = view.kind === 'shareable' ? view.view : view;
  if (inner.kind !== 'devices') throw new Error(JSON.stringify(view));
  const { total, refreshReason = null } = inner.paging;
  return { rows: inner.rows.length, total, refreshReason };
}

describe('a cached list, once its owner', () => {
  it('no longer sees personal data, is read again without what was found by it', async () => {
    const { asks, page, become } = createDesk('operator');
    const list = await asks(BY_USER);
    expect(await page(list, 1)).toEqual({ rows: 4, total: 14, refreshReason: null });
    become('viewer');
    expect(await page(list, 1)).toEqual({ rows: 0, total: 0, refreshReason: 'rights' });
  });

  it('now sees personal data, is read again with what is found by it', async () => {
    const { asks, page, become } = createDesk('viewer');
    const list = await asks('devices');
    become('operator');
    expect(await page(list, 1)).toEqual({ rows: 4, total: 14, refreshReason: 'rights' });
  });

  it('has the rights of before again, is the list of before', async () => {
    const { asks, page, become } = createDesk('operator');
    const list = await asks(BY_USER);
    become('viewer');
    await page(list, 1);
    become('operator');
    expect(await page(list, 1)).toEqual({ rows: 4, total: 14, refreshReason: null });
  });

  it('may not look any more, is not shown, sent or shared', async () => {
    const { asks, order, become, dispatch, exported, share, said } = createDesk('operator');
    const list = await asks(BY_USER);
    become(null);
    const refused = { kind: 'problem', problem: { kind: 'not-allowed' } };
    expect(await dispatch.runCommand(order(list))).toMatchObject(refused);
    expect(await exported(order(list))).toMatchObject(refused);
    expect(await share(order(list))).toMatchObject(refused);
    expect(said).toEqual([]);
  });

  it.each([
    ['less', 'operator', 'viewer', BY_USER, 0],
    ['more', 'viewer', 'operator', 'devices', 14],
  ] as const)(
    'sees %s, is sent as a file of what they see now, and says so',
    async (_w, was, is, text, rows) => {
      const { asks, order, become, exported, said } = createDesk(was);
      const list = await asks(text);
      become(is);
      const view = await exported(order(list));
      expect(view).toMatchObject({ kind: 'exported', rows, refreshReason: 'rights' });
      expect(renderView(view).text).toContain('What you may see has changed, so this list was reloaded.');
      expect(leaks(said)).toEqual([]);
    },
  );

  it.each([
    ['less', 'operator', 'viewer', BY_USER],
    ['more', 'viewer', 'operator', 'devices'],
  ] as const)('sees %s, is shared only after they saw what it is now', async (_what, was, is, text) => {
    const { asks, order, become, share, said } = createDesk(was);
    const list = await asks(text);
    become(is);
    const instead = await share(order(list));
    expect(said).toEqual([]);
    if (instead === null) throw new Error('it was shared');
    expect(listed(instead).refreshReason).toBe('rights');
    expect(await share(order(again(instead)))).toBeNull();
    expect(said).toHaveLength(1);
  });
});

describe('a cached list of somebody else', () => {
  it('is read again for the person who presses, with their own permissions, and says so', async () => {
    const { asks, page, become, dispatch } = createDesk('operator');
    const list = await asks(BY_USER);
    expect(await page(list, 1, BOB)).toEqual({ rows: 4, total: 14, refreshReason: 'others' });
    const theirs = again(await dispatch.runText(BY_USER, { person: BOB, channel: OPS }, 'k'));
    become('viewer');
    expect(await page(theirs, 0)).toEqual({ rows: 0, total: 0, refreshReason: 'others' });
  });
});

describe('a list that a restart forgot', () => {
  it('is read again at the requested page, and says so', async () => {
    const { asks, page, ports } = createDesk('operator');
    const list = await asks('devices');
    Object.assign(ports, { results: createResultCaches(ports.clock) });
    expect(await page(list, 1)).toEqual({ rows: 4, total: 14, refreshReason: 'gone' });
  });
});
