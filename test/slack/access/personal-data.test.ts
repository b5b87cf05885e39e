/**
 * Somebody who may not see personal data asks for everything in every way: no logged-in user, serial number or address
 * of a device is ever in what Slack gets for them.
 */
import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/commands/index.ts';
import { messageTs } from '../../../src/lib/ids.ts';
import { createShareAnswer } from '../../../src/slack/sharing/share-answer.ts';
import { readButtonValue } from '../../../src/views/kit/buttons.ts';
import { type ButtonValue, renderView, type View } from '../../../src/views/views.ts';
import { aReadyTarget, aRequest, someFacts } from '../../harness/records.ts';
import { noExternalChannels } from '../harness/open-access.ts';
import {
  createPersonalDataBot,
  leaks,
  OPERATOR,
  OPS,
  PRIVATE,
  PUBLIC,
  SERIAL,
  USER,
  VIEWER,
} from '../harness/personal-data-bot.ts';

/** What the buttons of a message would run. */
function buttonsOf(view: View): readonly Extract<ButtonValue, { do: 'run' | 'device' }>[] {
  const values = [...JSON.stringify(renderView(view).blocks).matchAll(/"value":("(?:[^"\\]|\\.)*")/g)];
  return values.flatMap(([, json = '""']) => {
    const value = readButtonValue(String(JSON.parse(json)));
    return value?.do === 'run' || value?.do === 'device' ? [value] : [];
  });
}

const NAMED = ['web-01', '#1001', 'db-3'];

const PAGES = ['', ...' facts, hardware, volumes, network, updates, policies, timeline, queue'.split(',')];

const ABOUT_ALL = 'devices, sort:name, sort:seen, sort:group, -sort:os, sort:pending'
  .split(',')
  .map((order) => (order === 'devices' ? order : `devices${order}`));

const LINES = [
  ...NAMED.flatMap((name) => PAGES.map((page) => `device ${name}${page}`)),
  ...ABOUT_ALL,
  ...registry.all().flatMap(({ examples }) => examples),
  ...NAMED.flatMap((name) =>
    ['packages', 'queue', 'events', 'explain reboot'].map((what) => `${what} ${name}`),
  ),
  'explain patch #1001',
  'explain device-edit #1001 tag:x',
  'device-edit #1001 ip:10.0.0.1 because x',
  'reboot #1001 because x',
  'scan db-3',
  ...registry.all().map(({ name }) => name),
  ...registry.all().map(({ name }) => `help ${name}`),
];

/** A person's own words come back in answers, so these searches are not checked for them. */
const BY_PERSONAL = [USER, SERIAL, PUBLIC, '10.77.0.0/16', 'qzuse', 'qzusre'];

describe('somebody below the role that sees what is personal', () => {
  it('gets none of it from any command, button, file or share', async () => {
    const { dispatch, share, exported, said, say } = createPersonalDataBot();
    const caller = { person: VIEWER, channel: OPS };
    for (const text of LINES) {
      const view = await dispatch.runText(text, caller, text);
      say(renderView(view));
      for (const value of buttonsOf(view).slice(0, 8)) {
        const {
          command: name,
          input,
          page = 0,
        } = value.do === 'run' ? value : { command: 'device', input: { device: value.device } };
        const order = { name, input, page, caller, requestKey: 'k' };
        say(renderView(await dispatch.runCommand(order)));
        say(await exported(order));
        const instead = await share(order);
        if (instead !== null) say(renderView(instead));
      }
    }
    expect(said.length).toBeGreaterThan(300);
    expect(leaks(said)).toEqual([]);
  }, 60_000);

  it('finds no device by it', async () => {
    const { dispatch } = createPersonalDataBot();
    const caller = { person: VIEWER, channel: OPS };
    for (const what of BY_PERSONAL) {
      const view = await dispatch.runText(`devices ${what}`, caller, 'k');
      expect(JSON.stringify(view), what).not.toMatch(/web-01|db-\d/);
    }
    for (const mark of [USER, SERIAL, PUBLIC, PRIVATE]) {
      const expected = { problem: { kind: 'no-such-device' } };
      expect(await dispatch.runText(`device ${mark}`, caller, 'k'), mark).toMatchObject(expected);
    }
  });

  it.each([
    [`devices user:${USER}`, 'user:'],
    [`devices -serial:${SERIAL}`, 'serial:'],
    ['devices web or db ip:10.77.0.0/16', 'ip:'],
    ['preview ip:10.77', 'ip:'],
  ])('is told that %s cannot be searched', async (text, what) => {
    const view = await createPersonalDataBot().dispatch.runText(text, { person: VIEWER, channel: OPS }, 'k');
    expect(view).toMatchObject({ kind: 'problem', problem: { kind: 'personal', what, needed: 'operator' } });
  });

  it('gets none of it from forms, menus and shortcuts', async () => {
    const { forms, shortcut, said, say } = createPersonalDataBot();
    const caller = { person: VIEWER, channel: OPS };
    for (const { name, form } of registry.all()) {
      if (form === undefined) continue;
      for (const prefill of [{}, { device: 1001 }, { device: 'web-01' }, { device: USER }]) {
        const where = { kind: 'open', triggerId: 't' } as const;
        const instead = await forms.open(where, { command: name, prefill, caller });
        if (instead !== null) say(renderView(instead));
      }
    }
    for (const text of ['web-01', '#1001 is slow']) {
      const where = { user: { id: VIEWER }, trigger_id: 't', channel: { id: OPS } };
      await shortcut({ ...where, callback_id: 'act_on_device', message: { text } });
    }
    expect(said.length).toBeGreaterThan(50);
    const typed = said.filter((one) => !one.includes(`"given":{"device":"${USER}"`));
    expect(leaks(typed.map((one) => one.replaceAll(`\\"device\\":\\"${USER}\\"`, '')))).toEqual([]);
  });

  it('is offered no device by it while they type, but by its name', async () => {
    const { forms, ports } = createPersonalDataBot();
    await ports.inventory.snapshot();
    const offered = async (value: string) => {
      let found: readonly unknown[] = [];
      const payload = { user: { id: VIEWER }, action_id: 'search_device', value };
      await forms.onOptions(payload, async (options) => {
        found = options;
      });
      return found.length;
    };
    expect(await offered('web-01')).toBe(2);
    for (const mark of [USER, SERIAL, PUBLIC, PRIVATE, 'qzus', '10.77.'])
      expect(await offered(mark), mark).toBe(0);
  });
});

describe('somebody who may see what is personal', () => {
  it('is shown it, and finds devices by it', async () => {
    const { dispatch, forms, ports } = createPersonalDataBot();
    const caller = { person: OPERATOR, channel: OPS };
    const answer = async (text: string) =>
      JSON.stringify(renderView(await dispatch.runText(text, caller, text)));
    expect(await answer('device #1001')).toContain(USER);
    expect(await answer('device #1001 hardware')).toContain(SERIAL);
    expect(await answer('device #1001 network')).toContain(PRIVATE);
    expect(await answer('device web-01')).toContain(SERIAL.toLowerCase());
    expect(await answer(`devices user:${USER}`)).toContain('14 devices');
    expect(await answer('explain reboot #1001')).toContain(USER);
    await ports.inventory.snapshot();
    const payload = { user: { id: OPERATOR }, action_id: 'search_device', value: USER };
    await forms.onOptions(payload, async (options) => expect(options.length).toBe(14));
  });

  it('asks after somebody who may not, and the index still knows it', async () => {
    const { dispatch } = createPersonalDataBot();
    await dispatch.runText('device #1001', { person: VIEWER, channel: OPS }, 'k');
    const caller = { person: OPERATOR, channel: OPS };
    const view = await dispatch.runText(`devices serial:${SERIAL} #1001`, caller, 'k');
    expect(view).toMatchObject({ view: { paging: { total: 1 } } });
  });
});

describe('a channel', () => {
  const shared = async (isPersonal: (channel: typeof OPS) => boolean) => {
    const { dispatch } = createPersonalDataBot();
    const said: string[] = [];
    const say = async (_channel: typeof OPS, message: unknown) => {
      said.push(JSON.stringify(message));
      return { kind: 'ok', value: { channel: OPS, ts: messageTs('1.1') } } as const;
    };
    const share = createShareAnswer(dispatch, { say }, noExternalChannels, isPersonal);
    const caller = { person: OPERATOR, channel: OPS };
    for (const page of ['facts', 'hardware', 'network'])
      await share({ name: 'device', input: { device: 1001, page }, page: 0, caller, requestKey: 'k' });
    expect(said).toHaveLength(3);
    return leaks(said);
  };

  it('gets no personal data, even from people who may see it', async () => {
    expect(await shared(() => false)).toEqual([]);
  });

  it('that the configuration file names is shown it', async () => {
    expect(await shared((channel) => channel === OPS)).toEqual(
      expect.arrayContaining([USER, SERIAL, PRIVATE]),
    );
  });

  it('is shown on the card of a request that somebody was logged in, and not who', () => {
    const request = aRequest({ targets: [aReadyTarget(someFacts({ lastLoggedInUser: USER }))] });
    const view = { kind: 'request', request } as const;
    const card = JSON.stringify(renderView({ ...view, shared: true }));
    expect(card).toContain('A user is logged in');
    expect(card).not.toContain(USER);
    expect(JSON.stringify(renderView(view))).toContain(USER);
  });

  it('is shown on the card of an edit how many addresses change, and not which', () => {
    const editable = { customName: null, exception: false, tags: [], addresses: [PUBLIC], intoGroup: null };
    const request = aRequest({
      action: { kind: 'device-edit', change: { addresses: [PRIVATE] } },
      targets: [aReadyTarget(someFacts({ editable }))],
    });
    const view = { kind: 'request', request } as const;
    const card = JSON.stringify(renderView({ ...view, shared: true }));
    expect(card).toContain('(hidden here)');
    expect(leaks([card])).toEqual([]);
    expect(leaks([JSON.stringify(renderView(view))])).toEqual([PUBLIC, PRIVATE]);
  });
});
