import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../../src/lib/clock.ts';
import { madePerTest } from '../../../harness/use-started.ts';
import { startService } from '../harness/service.ts';

const service = madePerTest(startService);

const QUEUE = '/servers/4001/queues';

describe('POST /servers/{id}/queues', () => {
  it('takes a body without a content type', async () => {
    const answer = await service.raw(`${QUEUE}?o=${service.management.organizationId}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.management.apiKey}`, 'content-type': '' },
      body: JSON.stringify({ command_type_name: 'GetOS' }),
    });
    expect(answer.status).toBe(201);
  });

  it.each([
    ['an unknown type', { command_type_name: 'Format' }, 'command_type_name'],
    ['a type in other letters', { command_type_name: 'reboot' }, 'command_type_name'],
    ['a policy that is not there', { command_type_name: 'policy_1_test' }, 'command_type_name'],
    ['an unknown policy action', { command_type_name: 'policy_2103_delete' }, 'command_type_name'],
    ['no type', {}, 'command_type_name'],
    ['an empty type', { command_type_name: '' }, 'command_type_name'],
    ['a type that is no text', { command_type_name: 7 }, 'command_type_name'],
    ['a patch command without names', { command_type_name: 'InstallUpdate' }, 'args'],
    ['a patch command with blank names', { command_type_name: 'InstallUpdate', args: '  ' }, 'args'],
    ['args that are no text', { command_type_name: 'InstallUpdate', args: ['curl'] }, 'args'],
    ['a body that is no object', 'Reboot', 'body'],
  ])('refuses %s by field, and queues nothing', async (_, body, field) => {
    const answer = await service.post(QUEUE, body);
    expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [expect.any(String)] } } });
    expect(await service.rows(QUEUE)).toEqual([]);
  });

  it('repeats what is repeated: there is no idempotency', async () => {
    await service.post(QUEUE, { command_type_name: 'GetOS' });
    await service.post(QUEUE, { command_type_name: 'GetOS' });
    const ids = (await service.rows(QUEUE)).map(({ id }) => Number(id));
    expect(ids).toEqual([ids[0], Number(ids[0]) + 1]);
  });
});

describe('GET /servers/{id}/queues', () => {
  it('has 0, null and numbers where they were seen', async () => {
    for (const command_type_name of ['GetOS', 'InstallAllUpdates', 'policy_2101_test'])
      await service.post(QUEUE, { command_type_name });
    expect(await service.rows(QUEUE)).toMatchObject([
      { reboot: 0, policy_id: null, command_id: null },
      { reboot: 0, policy_id: null, command_id: expect.any(Number) },
      { reboot: 0, policy_id: 2101, command_id: expect.any(Number) },
    ]);
  });

  it('has the answer of a policy as an object', async () => {
    await service.post(QUEUE, { command_type_name: 'policy_2101_test' });
    await service.clock.advance(45 * SECOND);
    expect(await service.rows(QUEUE)).toMatchObject([
      {
        response: { exit_code: expect.any(Number), stdout: expect.stringMatching(/^Evaluation/), stderr: '' },
      },
    ]);
  });

  it('has the installer’s exit code where an install was told to fail', async () => {
    service.management.world({ do: 'installs-fail', device: 'web-01' });
    await service.post(QUEUE, { command_type_name: 'InstallAllUpdates' });
    await service.clock.advance(45 * SECOND);
    expect(await service.rows(QUEUE)).toMatchObject([
      { response: ['1603', expect.stringMatching(/^Failed to install/), null] },
    ]);
  });
});

describe('GET /servers/{id}/queues/{entry}', () => {
  it('is the entry of the list', async () => {
    await service.post(QUEUE, { command_type_name: 'Reboot' });
    const [entry] = await service.rows(QUEUE);
    expect(await service.get(`${QUEUE}/${entry?.['id']}`)).toMatchObject({ status: 200, body: entry });
  });

  it.each([`${QUEUE}/1`, `${QUEUE}/x`, '/servers/1/queues/900001'])('is not found at %s', async (path) => {
    await service.post(QUEUE, { command_type_name: 'Reboot' });
    expect(await service.get(path)).toMatchObject({ status: 404 });
  });
});

describe('exec_time', () => {
  const send = (exec_time: unknown) => service.post(QUEUE, { command_type_name: 'GetOS', exec_time });

  it.each(['2026-03-10T13:00:00+0000', '2026-03-10T13:00:00Z', '2026-03-10T14:00:00.000+01:00'])(
    'lets a command wait until %s, while others pass it',
    async (time) => {
      expect(await send(time)).toMatchObject({ status: 201 });
      await service.clock.advance(59 * MINUTE);
      expect(await service.rows(QUEUE)).toMatchObject([
        { exec_time: '2026-03-10T13:00:00+0000', response: null },
      ]);
      const scannedAt = async () => (await service.device('web-01'))['last_refresh_time'];
      const before = await scannedAt();
      await service.post(QUEUE, { command_type_name: 'InstallUpdate', args: 'curl' });
      await service.clock.advance(50 * SECOND);
      const [waiting, done] = await service.rows(QUEUE);
      expect(waiting).toMatchObject({ command_type_name: 'GetOS', response: null });
      expect(done === undefined || done['response'] !== null).toBe(true);
      expect(await scannedAt()).toBe(before);
      await service.clock.advance(3 * MINUTE);
      expect(await service.rows(QUEUE)).toEqual([]);
      expect(await scannedAt()).not.toBe(before);
    },
  );

  it('that has passed means now', async () => {
    await send('2020-01-01T00:00:00+0000');
    expect(await service.rows(QUEUE)).toMatchObject([{ exec_time: '2026-03-10T12:00:00+0000' }]);
    await service.clock.advance(3 * MINUTE);
    expect(await service.rows(QUEUE)).toEqual([]);
  });

  it('finds a device that was away when it came', async () => {
    await send('2026-03-10T13:00:00+0000');
    service.management.world({ do: 'device-offline', device: 'web-01' });
    await service.clock.advance(2 * HOUR);
    expect(await service.rows(QUEUE)).toMatchObject([{ response: null }]);
    service.management.world({ do: 'device-online', device: 'web-01' });
    await service.clock.advance(3 * MINUTE);
    expect(await service.rows(QUEUE)).toEqual([]);
  });

  it.each(['tomorrow', '2026-03-10', '2026-13-10T12:00:00+0000', '2026-03-10T12:00:00', 1773144000])(
    'is refused as %j',
    async (time) => {
      expect(await send(time)).toMatchObject({
        status: 400,
        body: { errors: { exec_time: [expect.any(String)] } },
      });
      expect(await service.rows(QUEUE)).toEqual([]);
    },
  );
});
