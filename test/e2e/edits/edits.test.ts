/** Edits of devices, groups and policies from Slack: requested, decided, done once, and searched for if an answer is lost. */
import { describe, expect, it } from 'vitest';
import { until } from '../../harness/until.ts';
import { useReset } from '../../harness/use-started.ts';
import { startKillableSandbox } from '../crashes/killable-sandbox.ts';
import { fillIn, openFormOf } from '../every-command/command-harness.ts';
import { openModalOf, submitModal } from '../harness/modals.ts';
import { actionIdsOf, messageText, type PostedCard, stateOf } from '../harness/sandbox-people.ts';

const EDITED_DEVICE = '/servers/4001';
const REMOVED_DEVICE = '/servers/4028';
const REMOVED_GROUP = '/servergroups/3121';
const ALL_PATCHES = '/policies/2101';
const WORKLET = '/policies/2103';
const CREATE_GROUP =
  'group-create "Web servers" parent:Servers every:12h color:"utah clay" notes:"front doors"';
const CREATE_POLICY =
  'policy-create "Kiosk patches" group:Kiosks days:sun time:02:00 zone:UTC+1 severity:critical,high defer:1,4';

const people = useReset(startKillableSandbox);

async function asked(text: string, name: string): Promise<PostedCard> {
  await people.runs('operator', text);
  return people.card('approvals', (card) => card.text.includes(name), `the request for ${name}`);
}

async function approved(text: string, name: string, state = 'verified'): Promise<PostedCard> {
  const card = await asked(text, name);
  await people.push('approver', card, 'approve');
  return people.becomes(card, state);
}

const cardNow = (card: PostedCard) => people.card(card.channel, ({ ts }) => ts === card.ts);

/** What the service has there. */
async function read<Found = Readonly<Record<string, unknown>>>(path: string, query = ''): Promise<Found> {
  const { management, organization } = await people.state();
  const headers = { authorization: `Bearer ${management.apiKey}` };
  const answer = await fetch(`${management.baseUrl}${path}?o=${organization.id}${query}`, { headers });
  return (await answer.json()) as Found; // as the sandbox returns it
}

async function named(path: string, name: string) {
  type Named = { readonly id: number; readonly name: string };
  const all = await read<readonly Named[]>(path, '&limit=500&page=0');
  return all.filter((one) => one.name === name);
}
const groupsNamed = (name: string) => named('/servergroups', name);

/** Requests that edited something, without commands to devices. */
const edits = async () => (await people.writes()).filter((write) => !write.includes('/queues'));

describe('edits', () => {
  describe('of a device', () => {
    it('a custom name alone is given at once, read back, and taken away again', async () => {
      expect((await people.runs('operator', 'device-edit web-01 name:"Front door"')).text).toMatch(
        /Edit of web-01 requested/,
      );
      const card = await people.card('ops', ({ text }) => text.includes(': Edit web-01\n'));
      expect(messageText(await people.becomes(card, 'verified'))).toContain(
        'The management service now shows the new custom name “',
      );
      expect(await read(EDITED_DEVICE)).toMatchObject({ custom_name: 'Front door' });
      const answer = await people.says('operator', '@patchbay device-edit "Front door" name:none');
      expect(answer.text).toMatch(/Edit of Front door \(web-01, #4001\) requested/);
      await until(async () => (await read(EDITED_DEVICE))['custom_name'] === '' || null, {
        what: 'no custom name',
      });
      expect(await edits()).toEqual([`PUT ${EDITED_DEVICE}`, `PUT ${EDITED_DEVICE}`]);
    });

    it('its group, tags and exception wait for an approver, who sees what is and what will be', async () => {
      const before = await read(EDITED_DEVICE);
      const card = await asked(
        'device-edit web-01 group:Kiosks tag:<!channel> exception:yes because it moved',
        'web-01',
      );
      for (const part of [
        '→ Kiosks (#',
        'included → excluded',
        'it moved',
        'the policies of the new group apply to the device instead of those of the current group.',
      ])
        expect(messageText(card)).toContain(part);
      expect(messageText(card)).not.toContain('<!channel>');
      expect(await edits()).toEqual([]);
      expect((await people.presses('operator', card, 'approve')).text).toMatch(/your own request/);
      await people.push('approver', card, 'approve');
      await people.becomes(card, 'verified');
      const after = await read(EDITED_DEVICE);
      expect(after).toMatchObject({ exception: true, tags: [...(before['tags'] as string[]), '<!channel>'] });
      expect(after['server_group_id']).not.toBe(before['server_group_id']);
      expect(await edits()).toEqual([`PUT ${EDITED_DEVICE}`]);
    });

    it('tags of several are one request, proven device by device', async () => {
      const card = await asked('device-edit web-01, web-02, #4012 tag:zone-7 because new zone', '3 devices');
      for (const part of ['Edit 3 devices', '*web-01*', '*web-02*', '*web-04*', 'add zone-7'])
        expect(messageText(card)).toContain(part);
      expect(await edits()).toEqual([]);
      await people.push('approver', card, 'approve');
      await people.becomes(card, 'verified');
      expect(messageText(await cardNow(card))).toContain('3 verified');
      for (const id of [4001, 4002, 4012]) expect((await read(`/servers/${id}`))['tags']).toContain('zone-7');
      const again = await people.runs('operator', 'device-edit web-01, web-03 tag:zone-7');
      expect(messageText(again)).toMatch(/Edit web-03.*Not requested for 1 device.*web-01/s);
    });

    it('values that are already set are not requested, and wrong ones are named', async () => {
      await people.runs('operator', 'device-edit web-01 name:A');
      await people.becomes(
        await people.card('ops', ({ text }) => text.includes(': Edit web-01\n')),
        'verified',
      );
      for (const [text, answer] of [
        ['device-edit web-01 name:A', /already has these values/],
        ['device-edit web-01 exception:perhaps', /exception:perhaps/],
        ['device-edit web-01 ip:elsewhere', /`ip:elsewhere` isn’t valid\. Expected an IP address/],
        ['device-edit web-01 group:Kiosk', /No group is named Kiosk/],
        ['device-edit web-01 colour:red', /colour:red/],
      ] as const)
        expect(messageText(await people.runs('operator', text))).toMatch(answer);
      expect(await edits()).toEqual([`PUT ${EDITED_DEVICE}`]);
    });

    it('a field that changed since the card was drawn sends it back, and nothing is sent', async () => {
      const card = await asked('device-edit web-01 tag:dmz', 'web-01');
      await approvedElsewhere('device-edit web-01 tag:other');
      await people.push('approver', card, 'approve');
      const again = await until(async () => {
        const now = await cardNow(card);
        return messageText(now).includes('the tags of') ? now : null;
      });
      expect(stateOf(again)).toBe('waiting');
      expect(await edits()).toEqual([`PUT ${EDITED_DEVICE}`]);
      await people.push('approver', again, 'approve');
      await people.becomes(again, 'verified');
      const { tags } = await read(EDITED_DEVICE);
      expect(tags).toEqual(expect.arrayContaining(['dmz', 'other']));
    });
    const approvedElsewhere = async (text: string) => {
      await people.runs('operator2', text);
      const card = await people.card('approvals', (one) => messageText(one).includes('<@U0OPERATOR2>'));
      await people.push('approver', card, 'approve');
      await people.becomes(card, 'verified');
    };

    it('a lost answer is resolved by reading, and the edit is not sent again', async () => {
      await people.fault({
        service: 'management',
        match: 'PUT /servers/{id}',
        kind: 'cut-after',
        times: 1,
      });
      const card = await approved('device-edit web-01 tag:dmz', 'web-01');
      expect(messageText(card)).toContain('The management service now shows the new tags');
      await people.advance('10m');
      expect(await edits()).toEqual([`PUT ${EDITED_DEVICE}`]);
    });

    it('a request that was lost on its way becomes unknown, and stays so: it is not sent again', async () => {
      await people.fault({ service: 'management', match: 'PUT /servers/{id}', kind: 'cut', times: 1 });
      const card = await approved('device-edit web-01 tag:dmz', 'web-01', 'unknown');
      await people.advance('10m');
      await until(async () => messageText(await cardNow(card)).includes('It was not sent again') || null);
      expect(stateOf(await cardNow(card))).toBe('unknown');
      expect((await read(EDITED_DEVICE))['tags']).not.toContain('dmz');
      expect(await edits()).toEqual([`PUT ${EDITED_DEVICE}`]);
    });

    it.each(['target.claimed', 'target.sent'] as const)(
      'killed at %s: it is looked for by reading and not sent again',
      async (step) => {
        const card = await asked('device-edit web-01 tag:dmz', 'web-01');
        people.killAt(step);
        await people.push('approver', card, 'approve');
        await until(async () => !(await people.state()).bot.running, { what: 'the product to end' });
        await people.bot({ do: 'start' });
        await people.becomes(card, step === 'target.sent' ? 'verified' : 'unknown');
        await people.advance('10m');
        expect(await edits()).toEqual(step === 'target.sent' ? [`PUT ${EDITED_DEVICE}`] : []);
      },
    );
  });

  describe('of a group', () => {
    it('one is made below its parent, and shown by its button', async () => {
      const card = await asked(`${CREATE_GROUP} because new site`, 'Web servers');
      for (const part of [
        '*Parent group*: Servers',
        '12 hours',
        'Utah Clay',
        'front doors',
        'Applies as soon as it’s approved',
      ])
        expect(messageText(card)).toContain(part);
      await people.push('approver', card, 'approve');
      const made = await people.becomes(card, 'verified');
      expect(messageText(made)).toMatch(/It is group #\d+/);
      expect(await groupsNamed('Web servers')).toMatchObject([
        { refresh_interval: 720, notes: 'front doors' },
      ]);
      expect(await edits()).toEqual(['POST /servergroups']);
      expect((await people.presses('operator', made, 'group')).text).toMatch(/^Group Web servers/);
      expect(messageText(await people.runs('operator', CREATE_GROUP))).toContain('already has a subgroup');
    });

    it('two that are asked for at once become one', async () => {
      const first = await asked(CREATE_GROUP, 'Web servers');
      await people.runs('operator2', `${CREATE_GROUP} because "another reason"`);
      expect(await people.posts('approvals')).toHaveLength(1);
      await Promise.all([
        people.push('approver', first, 'approve'),
        people.push('approver2', first, 'approve'),
      ]);
      await people.becomes(first, 'verified');
      expect(await groupsNamed('Web servers')).toHaveLength(1);
    });

    it('its fields change, and the rest stays', async () => {
      const [before] = await groupsNamed('Kiosks');
      const card = await approved('group-edit Kiosks name:"All kiosks" every:6h', 'Kiosks');
      expect(messageText(card)).toContain('The management service now shows the new name and scan interval.');
      const [after] = await groupsNamed('All kiosks');
      expect(after).toEqual({ ...before, name: 'All kiosks', refresh_interval: 360 });
      expect(await edits()).toEqual([`PUT /servergroups/${before?.id}`]);
    });

    it('its updates and policies change as typed, and are read back', async () => {
      const [before] = await groupsNamed('Database servers');
      const typed =
        'updates:off wsus:http://wsus.example:8530 policy:"Disable SMBv1" -policy:"Apply Critical Patches"';
      const card = await asked(`group-edit "Database servers" ${typed}`, 'Database servers');
      for (const part of ['Disable SMBv1', 'Apply Critical Patches', 'WSUS, server http://wsus.example:8530'])
        expect(messageText(card)).toContain(part);
      await people.push('approver', card, 'approve');
      const done = await people.becomes(card, 'verified');
      expect(messageText(done)).toContain(
        'The management service now shows the new operating system updates, source of Windows updates and policies.',
      );
      const [after] = await groupsNamed('Database servers');
      expect(after).toEqual({
        ...before,
        enable_os_auto_update: false,
        policies: [expect.any(Number)],
        wsus_config: expect.objectContaining({ is_managed: true, server_url: 'http://wsus.example:8530' }),
      });
      expect(after).not.toMatchObject({ policies: Reflect.get(before ?? {}, 'policies') });
    });

    it('limits are those of the service, and the group above all keeps its place', async () => {
      for (const [text, answer] of [
        ['group-create X every:100m', /`every:4h` to `every:24h`/],
        ['group-create X color:mauve', /Pine Green/],
        ['group-edit default name:Everything', /the Default Group can’t be renamed/],
        ['group-edit Servers parent:"Linux servers"', /isn’t below this one/],
        ['group-edit Nowhere every:6h', /No group is named Nowhere/],
      ] as const)
        expect(messageText(await people.runs('operator', text))).toMatch(answer);
      expect(await edits()).toEqual([]);
    });
  });

  describe('of a policy', () => {
    it('one is made, attached to its group, and shown by its button', async () => {
      const card = await asked(`${CREATE_POLICY} because new site`, 'Kiosk patches');
      for (const part of [
        '*Patches*: only critical and high severity',
        '*Groups*: Kiosks (#3140)',
        '*Days*: Sunday',
        '*Time*: 02:00',
        '*Time zone*: UTC+0100',
        '*Automatic reboot*: off',
        '*Deferral periods*: 1 and 4 hours',
        'Applies as soon as it’s approved',
      ])
        expect(messageText(card)).toContain(part);
      await people.push('approver', card, 'approve');
      const made = await people.becomes(card, 'verified');
      expect(messageText(made)).toMatch(/It is policy #\d+/);
      const [policy] = await named('/policies', 'Kiosk patches');
      expect(policy).toMatchObject({
        schedule_days: 128,
        use_scheduled_timezone: true,
        scheduled_timezone: 'UTC+0100',
        server_groups: [3140],
        configuration: { severity_filter: ['critical', 'high'], auto_patch: true },
      });
      expect(await edits()).toEqual(['POST /policies']);
      const shown = await people.presses('operator', made, 'policy');
      expect(messageText(shown)).toContain('Sunday at 2:00 AM, UTC+0100');
      expect(messageText(await people.runs('operator', CREATE_POLICY))).toContain(
        'is already named Kiosk patches',
      );
    });

    it('its fields change, and scripts, secrets and the rest stay', async () => {
      const before = await read(WORKLET);
      const card = await approved(
        'policy-edit "Disable SMBv1" time:04:30 group:Kiosks reboot:yes because audit',
        'Disable SMBv1',
      );
      for (const part of [
        '*Time*: 02:00 → 04:30',
        '*Groups*: add Kiosks',
        '*Automatic reboot*: not set → on',
      ])
        expect(messageText(card)).toContain(part);
      expect(messageText(card)).not.toContain('hunter2');
      const after = await read(WORKLET);
      expect(after).toEqual({
        ...before,
        schedule_time: '04:30',
        // The service's own: the next time of the new schedule.
        next_remediation: expect.stringContaining('04:30'),
        server_groups: expect.arrayContaining([...(before['server_groups'] as number[]), 3140]),
        server_count: expect.any(Number),
        configuration: { ...(before['configuration'] as object), auto_reboot: true },
      });
      expect(await edits()).toEqual([`PUT ${WORKLET}`]);
    });

    it('is edited from its view: fields show current values, errors stand at theirs, only changes are requested', async () => {
      const policy = await people.runs('operator', 'policy "Apply All Patches"');
      await people.push('operator', { ...policy, channel: 'ops' }, 'form');
      const form = await openModalOf(people, 'operator', 'Deferral periods');
      const element = (field: string) =>
        form.blocks.find((block) => (block as { readonly block_id?: string }).block_id === `${field}:2101`);
      expect(element('time')).toMatchObject({ element: { type: 'timepicker', initial_time: '02:00' } });
      expect(element('defer')).toMatchObject({ element: { initial_value: '1, 4, 8' } });
      expect(
        await submitModal(people, 'operator', form, { 'defer:2101': '1, 40', 'timeout:2101': '5' }),
      ).toMatchObject({
        ok: false,
        errors: {
          'defer:2101': 'Expected up to 3 different numbers of hours from 1 to 24.',
          'timeout:2101': 'Expected 15 to 480 minutes.',
        },
      });
      expect(
        await submitModal(people, 'operator', form, {
          'defer:2101': '2, 6',
          'timeout:2101': '',
          'time:2101': '03:15',
          reason: 'a quiet hour',
        }),
      ).toMatchObject({ ok: true });
      const card = await people.card('approvals', ({ text }) => text.includes('Apply All Patches'));
      for (const part of ['*Time*: 02:00 → 03:15', '*Deferral periods*: 1, 4 and 8 hours → 2 and 6 hours'])
        expect(messageText(card)).toContain(part);
      for (const part of ['*Days*', '*Name*', '*Automatic reboot*', '*Notification'])
        expect(messageText(card)).not.toContain(part);
      await people.push('approver', card, 'approve');
      await people.becomes(card, 'verified');
      expect(await read(ALL_PATCHES)).toMatchObject({
        schedule_time: '03:15',
        configuration: { custom_notification_deferment_periods: [2, 6] },
      });
    });

    it('what the service would refuse is refused before, in plain words', async () => {
      for (const [text, answer] of [
        ['policy-edit "Apply All Patches" time:25:00', /time such as 02:00/],
        ['policy-edit "Apply All Patches" name:"Disable SMBv1"', /is already named Disable SMBv1/],
        ['policy-edit "Apply All Patches" group:Nowhere', /No group is named Nowhere/],
        ['policy-edit "Require VPN client" reboot:yes', /no such setting/],
        ['policy-edit Nothing days:every', /No policy is named Nothing/],
      ] as const)
        expect(messageText(await people.runs('operator', text))).toMatch(answer);
      expect(await edits()).toEqual([]);
    });
  });

  describe('in a form', () => {
    it('a device is edited from its card: fields show current values, and only changes are requested', async () => {
      const device = await people.runs('operator', 'device web-01');
      expect(actionIdsOf(device)).toContain('more');
      await people.presses('operator', { ...device, channel: 'ops' }, 'more', 'Edit');
      const form = await openModalOf(people, 'operator', 'Custom name');
      const { tags } = await read(EDITED_DEVICE);
      const wanted = [...(tags as string[]).slice(1), 'dmz'].join(', ');
      expect(
        await submitModal(people, 'operator', form, { 'tags:4001': wanted, 'addresses:4001': 'nowhere' }),
      ).toMatchObject({
        ok: false,
        errors: { 'addresses:4001': 'nowhere isn’t an IP address.' },
      });
      expect(
        await submitModal(people, 'operator', form, {
          'tags:4001': wanted,
          'addresses:4001': '',
          reason: 'tidy',
        }),
      ).toMatchObject({
        ok: true,
      });
      const card = await people.card('approvals', ({ text }) => text.includes('web-01'));
      expect(messageText(card)).toContain('*Tags*');
      expect(messageText(card)).not.toContain('*Custom name*');
    });

    it('a group is made from what was typed and chosen', async () => {
      await people.command({
        user: 'operator',
        channel: 'ops',
        command: '/fleet',
        text: 'group-create every:6h',
      });
      const form = await openModalOf(people, 'operator', 'Create a group');
      expect(await submitModal(people, 'operator', form, { name: ' ' })).toMatchObject({ ok: false });
      const values = {
        name: 'Web servers',
        color: '#D78500',
        os: 'off',
        wsus: 'on',
        server: 'http://wsus.example:8530',
      };
      expect(await submitModal(people, 'operator', form, values)).toMatchObject({ ok: true });
      const card = await people.card('approvals', ({ text }) => text.includes('Web servers'));
      for (const part of ['6 hours', 'Utah Clay', 'off', 'WSUS, server', 'wsus.example:8530'])
        expect(messageText(card)).toContain(part);
      await people.push('approver', card, 'approve');
      await people.becomes(card, 'verified');
      expect(await groupsNamed('Web servers')).toMatchObject([
        { enable_os_auto_update: false, ui_color: '#D78500', refresh_interval: 360 },
      ]);
    });

    it('a group is edited from its view', async () => {
      const group = await people.runs('operator', 'group Kiosks');
      await people.push('operator', { ...group, channel: 'ops' }, 'form');
      const form = await openModalOf(people, 'operator', 'Scan interval');
      const [kiosks] = await groupsNamed('Kiosks');
      const field = `every:${kiosks?.id}`;
      expect(await submitModal(people, 'operator', form, { [field]: '1440' })).toMatchObject({ ok: true });
      const card = await people.card('approvals', ({ text }) => text.includes('Kiosks'));
      expect(messageText(card)).toContain('4 hours → 24 hours');
      await people.push('approver', card, 'approve');
      await people.becomes(card, 'verified');
      expect(await groupsNamed('Kiosks')).toMatchObject([{ refresh_interval: 1_440 }]);
    });
  });

  describe('of a removal', () => {
    const opened = async (text: string) => {
      await people.command({ user: 'operator', channel: 'ops', command: '/fleet', text });
      return openFormOf(people, 'operator');
    };
    /** The card of a removal that was confirmed in its form. */
    const confirmed = async (text: string, field: string, name: string): Promise<PostedCard> => {
      await opened(text);
      await fillIn(people, 'operator', { [field]: name });
      return people.card('approvals', (card) => card.text.includes(name), `the request for ${name}`);
    };
    const kiosk = () => confirmed('device-remove kiosk-01 because scrapped', 'confirm:4028', 'kiosk-01');
    const laptops = () =>
      confirmed('group-remove "Finance laptops" because merged', 'confirm:3121', 'Finance laptops');

    it('a device is shown with what goes with it, approved, and gone from the service and from lists', async () => {
      await people.runs('operator', 'scan kiosk-01');
      const form = await opened('device-remove kiosk-01 because scrapped');
      for (const part of ['Group: Kiosks', 'can’t be undone', 'Type the device’s name to confirm'])
        expect(JSON.stringify(form)).toContain(part);
      await people.close({ user: 'operator', view_id: form.id });
      const card = await kiosk();
      for (const part of ['Remove the device kiosk-01', 'scrapped', 'registers again under another ID'])
        expect(messageText(card)).toContain(part);
      expect(await edits()).toEqual([]);
      await people.push('operator', card, 'approve');
      expect(stateOf(await cardNow(card))).toBe('waiting');
      await people.push('approver', card, 'approve');
      const done = await people.becomes(card, 'verified');
      expect(messageText(done)).toContain('The device no longer exists in the management service.');
      expect(await edits()).toEqual([`DELETE ${REMOVED_DEVICE}`]);
      expect(await read(REMOVED_DEVICE)).not.toHaveProperty('name');
      expect(messageText(await people.runs('operator', 'device kiosk-01'))).toContain('No device');
      expect(messageText(await people.runs('approver', 'audit device #4028'))).toContain(
        'removal of kiosk-01 (#4028)',
      );
    });

    it('a group is gone, and its devices are in the Default Group', async () => {
      const card = await laptops();
      for (const part of [
        'Remove the group Finance laptops',
        'moved to the Default Group',
        'can’t be undone',
      ])
        expect(messageText(card)).toContain(part);
      await people.push('approver', card, 'approve');
      const done = await people.becomes(card, 'verified');
      expect(messageText(done)).toContain('The group no longer exists in the management service.');
      expect(await edits()).toEqual([`DELETE ${REMOVED_GROUP}`]);
      expect(await groupsNamed('Finance laptops')).toEqual([]);
      expect(await read('/servers/4019')).toMatchObject({ server_group_id: 3_100 });
      expect(messageText(await people.runs('operator', 'group "Finance laptops"'))).toContain('No group');
    });

    it('another name is an error at the field, and nothing is requested', async () => {
      const form = await opened('device-remove kiosk-01');
      const submitted = await people.submit({
        user: 'operator',
        view_id: form.id,
        values: { 'confirm:4028': { field: 'kiosk-02' } },
      });
      expect(JSON.stringify(submitted)).toContain('The name doesn’t match. Type kiosk-01 to confirm.');
      expect(await people.posts('approvals')).toEqual([]);
      expect(await edits()).toEqual([]);
    });

    it('more devices than were approved send a group back, and nothing is removed', async () => {
      const card = await laptops();
      const { management, organization } = await people.state();
      const moved = await fetch(`${management.baseUrl}/servers/4010?o=${organization.id}`, {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${management.apiKey}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ server_group_id: 3_121, exception: false }),
      });
      expect(moved.status).toBe(204);
      await people.push('approver', card, 'approve');
      const again = await until(async () => {
        const now = await cardNow(card);
        return messageText(now).includes('the devices of Finance laptops now also include desk-01')
          ? now
          : null;
      });
      expect(stateOf(again)).toBe('waiting');
      expect(await groupsNamed('Finance laptops')).toHaveLength(1);
    });

    it.each([
      ['a device', kiosk, 'DELETE /servers', `DELETE ${REMOVED_DEVICE}`],
      ['a group', laptops, 'DELETE /servergroups', `DELETE ${REMOVED_GROUP}`],
    ] as const)(
      '%s whose answer was lost is looked for, and never removed twice',
      async (_what, asked, match, call) => {
        await people.faultOnce({ service: 'management', match, kind: 'cut-after' });
        const card = await asked();
        await people.push('approver', card, 'approve');
        const done = await people.becomes(card, 'verified');
        expect(messageText(done)).toContain('no longer exists in the management service');
        await people.advance('10m');
        expect(await edits()).toEqual([call]);
      },
    );

    it('a device whose removal never arrived stays unknown, and is not removed later', async () => {
      await people.faultOnce({ service: 'management', match: 'DELETE /servers', kind: 'cut' });
      const card = await kiosk();
      await people.push('approver', card, 'approve');
      await people.becomes(card, 'unknown');
      await people.advance('10m');
      expect(messageText(await cardNow(card))).toContain('It still shows the device. It was not sent again.');
      expect(await read(REMOVED_DEVICE)).toMatchObject({ id: 4_028 });
    });

    it('two presses at once remove once', async () => {
      const card = await kiosk();
      await Promise.all(
        (['approver', 'approver2'] as const).map((user) => people.push(user, card, 'approve')),
      );
      await people.becomes(card, 'verified');
      expect(await edits()).toEqual([`DELETE ${REMOVED_DEVICE}`]);
    });

    it('a hostile name is typed as it is shown', async () => {
      const form = await opened('device-remove #4008');
      const { hint } = form.blocks.find(
        (block) => (block as { readonly block_id?: string }).block_id === 'confirm:4008',
      ) as { readonly hint: { readonly text: string } };
      await fillIn(people, 'operator', { 'confirm:4008': hint.text });
      const card = await people.card('approvals', (one) => one.text.includes('Remove the device'));
      expect(messageText(card)).not.toContain('<!channel>');
      await people.push('approver', card, 'approve');
      await people.becomes(card, 'verified');
      expect(await edits()).toEqual(['DELETE /servers/4008']);
    });

    it('the Default Group stays', async () => {
      expect(messageText(await people.runs('operator', 'group-remove default'))).toContain(
        'The Default Group can’t be removed',
      );
    });
  });

  it.each([
    [
      'a name',
      'Kiosks',
      'group-edit Kiosks every:6h',
      'group-edit Kiosks name:"All kiosks"',
      'is now named “All kiosks”',
    ],
    [
      'a policy',
      'Apply All Patches',
      'policy-edit "Apply All Patches" notify:no because audit',
      'policy-edit "Apply All Patches" time:05:00 because audit',
      'the time of Apply All Patches changed',
    ],
  ])(
    '%s that changed since the card was drawn sends it back',
    async (_what, name, edit, otherEdit, change) => {
      const card = await asked(edit, name);
      await people.runs('operator2', otherEdit);
      const other = await people.card('approvals', (one) => messageText(one).includes('<@U0OPERATOR2>'));
      await people.push('approver', other, 'approve');
      await people.becomes(other, 'verified');
      await people.push('approver', card, 'approve');
      const again = await until(async () => {
        const now = await cardNow(card);
        return messageText(now).includes(change) ? now : null;
      });
      expect(stateOf(again)).toBe('waiting');
      expect(await edits()).toHaveLength(1);
    },
  );

  it.each([
    ['/servergroups', CREATE_GROUP, 'Web servers'],
    ['/policies', CREATE_POLICY, 'Kiosk patches'],
  ])(
    'a lost answer to a creation in %s is looked for by name, and none is made twice',
    async (path, create, name) => {
      await people.faultOnce({ service: 'management', match: `POST ${path}`, kind: 'cut-after' });
      const card = await approved(create, name);
      expect(messageText(card)).toContain('Patchbay got no clear answer, but the change is visible now');
      await people.advance('10m');
      expect(await edits()).toEqual([`POST ${path}`]);
      expect(await named(path, name)).toHaveLength(1);
    },
  );

  it('is refused to who may only look, and to strangers', async () => {
    for (const text of [
      'device-edit web-01 name:X',
      'group-create X',
      'group-edit Kiosks every:6h',
      'policy-create X',
      'policy-edit #2101 days:every',
    ])
      for (const [user, channel] of [
        ['viewer', 'ops'],
        ['outsider', 'random'],
      ] as const)
        expect(messageText(await people.runs(user, text, channel))).toMatch(/role|not allowed/i);
    expect(await edits()).toEqual([]);
  });
});
