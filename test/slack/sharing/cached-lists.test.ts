/** Cached lists, their pages, files and shares, with the current permissions of the person who presses. */
import { describe, expect, it } from 'vitest';
import { createResultCaches } from '../../../src/commands/lists/result-cache.ts';
import type { Role } from '../../../src/lib/access.ts';
import { personId } from '../../../src/lib/ids.ts';
import type { RepeatedCommand, View } from '../../../src/views/model.ts';
import { renderView } from '../../../src/views/views.ts';
import { createPersonalDataBot, leaks, OPS, USER } from '../harness/personal-data-bot.ts';

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
  return {
    rows: inner.rows.length,
    total: inner.paging.total,
    refreshReason: inner.paging.refreshReason ?? null,
  };
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
