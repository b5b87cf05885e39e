/** Devices and groups are edited from Slack: asked for, decided, done once, and looked for where an answer is lost. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../harness/until.ts';
import { type MortalTown, startMortalTown } from './mortal-town.ts';
import { actionsOf, type Card, type PersonName, stateOf, wordsOf } from './town.ts';

const DEVICE = '/servers/4001';

describe('edits', () => {
  let town: MortalTown;
  beforeAll(async () => {
    town = await startMortalTown();
  });
  afterAll(() => town.stop());
  beforeEach(async () => {
    await town.reset();
  });

  const asked = async (text: string, name: string): Promise<Card> => {
    await town.asks('operator', text);
    return town.card('approvals', (card) => card.text.includes(name), `the request for ${name}`);
  };
  const approved = async (text: string, name: string, state = 'verified'): Promise<Card> => {
    const card = await asked(text, name);
    await town.push('approver', card, 'approve');
    return town.becomes(card, state);
  };
  const cardNow = (card: Card) => town.card(card.channel, ({ ts }) => ts === card.ts);
  /** The thing as the service has it. */
  const read = async (path: string): Promise<Readonly<Record<string, unknown>>> => {
    const { management, organization } = await town.state();
    const headers = { authorization: `Bearer ${management.apiKey}` };
    const answer = await fetch(`${management.baseUrl}${path}?o=${organization.id}`, { headers });
    const body = (await answer.json()) as { readonly results?: unknown };
    return body as Readonly<Record<string, unknown>>;
  };
  const groupsNamed = async (name: string) => {
    const { management, organization } = await town.state();
    const headers = { authorization: `Bearer ${management.apiKey}` };
    const query = `o=${organization.id}&limit=500&page=0`;
    const answer = await fetch(`${management.baseUrl}/servergroups?${query}`, { headers });
    const all = (await answer.json()) as readonly { readonly id: number; readonly name: string }[];
    return all.filter((group) => group.name === name);
  };
  const edits = async () => (await town.writes()).filter((write) => !write.includes('/queues'));

  describe('of a device', () => {
    it('a custom name alone is given at once, read back, and taken away again', async () => {
      expect((await town.asks('operator', 'device-edit web-01 name:"Front door"')).text).toMatch(
        /edit web-01 was taken up/,
      );
      const card = await town.card('ops', ({ text }) => text.startsWith('Edit web-01'));
      expect(wordsOf(await town.becomes(card, 'verified'))).toContain('Read back as sent: custom name “');
      expect(await read(DEVICE)).toMatchObject({ custom_name: 'Front door' });
      const answer = await town.says('operator', '@patchbay device-edit "Front door" name:none');
      expect(answer.text).toMatch(/edit Front door was taken up/);
      await until(async () => (await read(DEVICE))['custom_name'] === '' || null, { what: 'no custom name' });
      expect(await edits()).toEqual([`PUT ${DEVICE}`, `PUT ${DEVICE}`]);
    });

    it('its group, tags and exception wait for an approver, who sees what is and what will be', async () => {
      const before = await read(DEVICE);
      const card = await asked(
        'device-edit web-01 group:Kiosks tag:<!channel> exception:yes because it moved',
        'web-01',
      );
      for (const part of [
        'Linux servers (#',
        '→ Kiosks (#',
        'no → yes',
        'it moved',
        'Other policies may apply',
      ])
        expect(wordsOf(card)).toContain(part);
      expect(wordsOf(card)).not.toContain('<!channel>');
      expect(await edits()).toEqual([]);
      expect((await town.presses('operator', card, 'approve')).text).toMatch(/asked for this yourself/);
      await town.push('approver', card, 'approve');
      await town.becomes(card, 'verified');
      const after = await read(DEVICE);
      expect(after).toMatchObject({ exception: true, tags: [...(before['tags'] as string[]), '<!channel>'] });
      expect(after['server_group_id']).not.toBe(before['server_group_id']);
      expect(await edits()).toEqual([`PUT ${DEVICE}`]);
    });

    it('what is so already is not asked for, and what is wrong is named back', async () => {
      await town.asks('operator', 'device-edit web-01 name:A');
      await town.becomes(await town.card('ops', ({ text }) => text.startsWith('Edit web-01')), 'verified');
      for (const [text, answer] of [
        ['device-edit web-01 name:A', /is so already/],
        ['device-edit web-01 exception:perhaps', /exception:perhaps/],
        ['device-edit web-01 ip:elsewhere', /`ip:elsewhere`: expected an IP address/],
        ['device-edit web-01 group:Kiosk', /no group called Kiosk/],
        ['device-edit web-01 colour:red', /colour:red/],
      ] as const)
        expect(wordsOf(await town.asks('operator', text))).toMatch(answer);
      expect(await edits()).toEqual([`PUT ${DEVICE}`]);
    });

    it('a field that changed since the card was drawn sends it back, and nothing is sent', async () => {
      const card = await asked('device-edit web-01 tag:dmz', 'web-01');
      await approvedElsewhere('device-edit web-01 tag:other');
      await town.push('approver', card, 'approve');
      const again = await until(async () => {
        const now = await cardNow(card);
        return wordsOf(now).includes('where it was') ? now : null;
      });
      expect(stateOf(again)).toBe('waiting');
      expect(await edits()).toEqual([`PUT ${DEVICE}`]);
      await town.push('approver', again, 'approve');
      await town.becomes(again, 'verified');
      const { tags } = await read(DEVICE);
      expect(tags).toEqual(expect.arrayContaining(['dmz', 'other']));
    });
    const approvedElsewhere = async (text: string) => {
      await town.asks('operator2', text);
      const card = await town.card('approvals', (one) => wordsOf(one).includes('<@U0OPERATOR2>'));
      await town.push('approver', card, 'approve');
      await town.becomes(card, 'verified');
    };

    it('a lost answer is made up for by reading, and the edit is not sent again', async () => {
      await town.fault({ service: 'management', match: 'PUT /servers/{id}', kind: 'cut-after', times: 1 });
      const card = await approved('device-edit web-01 tag:dmz', 'web-01');
      expect(wordsOf(card)).toContain('Read back as sent: tags');
      await town.advance('10m');
      expect(await edits()).toEqual([`PUT ${DEVICE}`]);
    });

    it('a request that was lost on its way becomes unknown, and stays so: it is not sent again', async () => {
      await town.fault({ service: 'management', match: 'PUT /servers/{id}', kind: 'cut', times: 1 });
      const card = await approved('device-edit web-01 tag:dmz', 'web-01', 'unknown');
      await town.advance('10m');
      await until(async () => wordsOf(await cardNow(card)).includes('It was not sent again') || null);
      expect(stateOf(await cardNow(card))).toBe('unknown');
      expect((await read(DEVICE))['tags']).not.toContain('dmz');
      expect(await edits()).toEqual([`PUT ${DEVICE}`]);
    });

    it.each(['operation.claimed', 'operation.sent'] as const)(
      'killed at %s: it is looked for by reading and not sent again',
      async (step) => {
        const card = await asked('device-edit web-01 tag:dmz', 'web-01');
        town.killAt(step);
        await town.click({ user: 'approver', channel: card.channel, ts: card.ts, action_id: 'approve' });
        await until(async () => !(await town.state()).bot.running, { what: 'the product to end' });
        await town.bot({ do: 'start' });
        await town.becomes(card, step === 'operation.sent' ? 'verified' : 'unknown');
        await town.advance('10m');
        expect(await edits()).toEqual(step === 'operation.sent' ? [`PUT ${DEVICE}`] : []);
      },
    );
  });

  describe('of a group', () => {
    const CREATE =
      'group-create "Web servers" parent:Servers every:12h color:"utah clay" notes:"front doors"';

    it('one is made below its parent, and shown by its button', async () => {
      const card = await asked(`${CREATE} because new site`, 'Web servers');
      for (const part of ['Servers (#', '12 hours', 'Utah Clay', 'front doors', 'cannot delete it again'])
        expect(wordsOf(card)).toContain(part);
      await town.push('approver', card, 'approve');
      const made = await town.becomes(card, 'verified');
      expect(wordsOf(made)).toMatch(/It is group #\d+/);
      expect(await groupsNamed('Web servers')).toMatchObject([
        { refresh_interval: 720, notes: 'front doors' },
      ]);
      expect(await edits()).toEqual(['POST /servergroups']);
      expect((await town.presses('operator', made, 'group')).text).toMatch(/^Group Web servers/);
      expect(wordsOf(await town.asks('operator', CREATE))).toContain('stands below that parent already');
    });

    it('two that are asked for at once become one', async () => {
      const first = await asked(CREATE, 'Web servers');
      await town.asks('operator2', `${CREATE} because "another reason"`);
      expect(await town.posts('approvals')).toHaveLength(1);
      await Promise.all([
        town.click({ user: 'approver', channel: 'approvals', ts: first.ts, action_id: 'approve' }),
        town.click({ user: 'approver2', channel: 'approvals', ts: first.ts, action_id: 'approve' }),
      ]);
      await town.becomes(first, 'verified');
      expect(await groupsNamed('Web servers')).toHaveLength(1);
    });

    it('its fields change, and the rest stays', async () => {
      const [before] = await groupsNamed('Kiosks');
      const card = await approved('group-edit Kiosks name:"All kiosks" every:6h', 'Kiosks');
      expect(wordsOf(card)).toContain('Read back as sent: name, time between scans.');
      const [after] = await groupsNamed('All kiosks');
      expect(after).toEqual({ ...before, name: 'All kiosks', refresh_interval: 360 });
      expect(await edits()).toEqual([`PUT /servergroups/${before?.id}`]);
    });

    it('a name that changed since the card was drawn sends it back', async () => {
      const card = await asked('group-edit Kiosks every:6h', 'Kiosks');
      await town.asks('operator2', 'group-edit Kiosks name:"All kiosks"');
      const other = await town.card('approvals', (one) => wordsOf(one).includes('<@U0OPERATOR2>'));
      await town.push('approver', other, 'approve');
      await town.becomes(other, 'verified');
      await town.push('approver', card, 'approve');
      const again = await until(async () => {
        const now = await cardNow(card);
        return wordsOf(now).includes('is called “All kiosks” now') ? now : null;
      });
      expect(stateOf(again)).toBe('waiting');
      expect(await edits()).toHaveLength(1);
    });

    it('a lost answer to a creation is looked for by name, and none is made twice', async () => {
      await town.fault({ service: 'management', match: 'POST /servergroups', kind: 'cut-after', times: 1 });
      const card = await approved(CREATE, 'Web servers');
      expect(wordsOf(card)).toContain('The answer was lost, and it reads so now');
      await town.advance('10m');
      expect(await edits()).toEqual(['POST /servergroups']);
      expect(await groupsNamed('Web servers')).toHaveLength(1);
    });

    it('limits are those of the service, and the group above all keeps its place', async () => {
      for (const [text, answer] of [
        ['group-create X every:100m', /every:4h to every:24h/],
        ['group-create X color:mauve', /Pine Green/],
        ['group-edit default name:Everything', /the Default Group keeps its name/],
        ['group-edit Servers parent:"Linux servers"', /does not stand below this one/],
        ['group-edit Nowhere every:6h', /no group called Nowhere/],
      ] as const)
        expect(wordsOf(await town.asks('operator', text))).toMatch(answer);
      expect(await edits()).toEqual([]);
    });
  });

  describe('in a form', () => {
    const windowOf = (user: PersonName, part: string) =>
      until(
        async () => {
          const top = (await town.views(user)).modals.at(-1);
          return top !== undefined && JSON.stringify([top['title'], top.blocks]).includes(part) ? top : null;
        },
        { timeoutMs: 15_000, what: `“${part}” in a window of ${user}` },
      );
    const submit = (
      user: PersonName,
      form: Awaited<ReturnType<typeof windowOf>>,
      values: Readonly<Record<string, unknown>>,
    ) =>
      town.submit({
        user,
        view_id: form.id,
        values: Object.fromEntries(
          Object.entries(values).map(([field, value]) => [field, { [actionIn(form, field)]: value }]),
        ),
      });

    it('a device is edited from its card: what is stands in the fields, and only what changed is asked for', async () => {
      const device = await town.asks('operator', 'device web-01');
      expect(actionsOf(device)).toContain('form');
      await town.push('operator', { ...device, channel: 'ops' }, 'form');
      const form = await windowOf('operator', 'Custom name');
      const { tags } = await read(DEVICE);
      const wanted = [...(tags as string[]).slice(1), 'dmz'].join(', ');
      expect(
        await submit('operator', form, { 'tags:4001': wanted, 'addresses:4001': 'nowhere' }),
      ).toMatchObject({
        ok: false,
        errors: { 'addresses:4001': 'nowhere is no IP address.' },
      });
      expect(
        await submit('operator', form, { 'tags:4001': wanted, 'addresses:4001': '', reason: 'tidy' }),
      ).toMatchObject({
        ok: true,
      });
      const card = await town.card('approvals', ({ text }) => text.includes('web-01'));
      expect(wordsOf(card)).toContain('*Tags*');
      expect(wordsOf(card)).not.toContain('*Custom name*');
    });

    it('a group is made from what was typed and chosen', async () => {
      await town.command({
        user: 'operator',
        channel: 'ops',
        command: '/fleet',
        text: 'group-create every:6h',
      });
      const form = await windowOf('operator', 'Create a group');
      expect(await submit('operator', form, { name: ' ' })).toMatchObject({ ok: false });
      const values = {
        name: 'Web servers',
        color: '#D78500',
        os: 'off',
        wsus: 'on',
        server: 'http://wsus.example:8530',
      };
      expect(await submit('operator', form, values)).toMatchObject({ ok: true });
      const card = await town.card('approvals', ({ text }) => text.includes('Web servers'));
      for (const part of ['6 hours', 'Utah Clay', 'off', 'WSUS, server', 'wsus.example:8530'])
        expect(wordsOf(card)).toContain(part);
      await town.push('approver', card, 'approve');
      await town.becomes(card, 'verified');
      expect(await groupsNamed('Web servers')).toMatchObject([
        { enable_os_auto_update: false, ui_color: '#D78500', refresh_interval: 360 },
      ]);
    });

    it('a group is edited from its view', async () => {
      const group = await town.asks('operator', 'group Kiosks');
      await town.push('operator', { ...group, channel: 'ops' }, 'form');
      const form = await windowOf('operator', 'Scan the devices every');
      const [kiosks] = await groupsNamed('Kiosks');
      const field = `every:${kiosks?.id}`;
      expect(await submit('operator', form, { [field]: '1440' })).toMatchObject({ ok: true });
      const card = await town.card('approvals', ({ text }) => text.includes('Kiosks'));
      expect(wordsOf(card)).toContain('4 hours → 24 hours');
      await town.push('approver', card, 'approve');
      await town.becomes(card, 'verified');
      expect(await groupsNamed('Kiosks')).toMatchObject([{ refresh_interval: 1_440 }]);
    });
  });

  it('is refused to who may only look, and to strangers', async () => {
    for (const text of ['device-edit web-01 name:X', 'group-create X', 'group-edit Kiosks every:6h'])
      for (const [user, channel] of [
        ['viewer', 'ops'],
        ['outsider', 'random'],
      ] as const)
        expect(wordsOf(await town.asks(user, text, channel))).toMatch(/role|not allowed/i);
    expect(await edits()).toEqual([]);
  });
});

/** The action of a field of a form. */
function actionIn({ blocks }: { readonly blocks: readonly unknown[] }, field: string): string {
  const block = blocks.find(
    (one) => typeof one === 'object' && one !== null && 'block_id' in one && one.block_id === field,
  );
  const [, action = field] = /"action_id":"([^"]+)"/.exec(JSON.stringify(block ?? {})) ?? [];
  return action;
}
