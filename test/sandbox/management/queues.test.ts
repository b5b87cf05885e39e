import { describe, expect, it } from 'vitest';
import { startService } from './service.ts';

const QUEUE = '/servers/4001/queues';

describe('POST /servers/{id}/queues', () => {
  it.each([
    ['GetOS', undefined],
    ['Reboot', undefined],
    ['InstallUpdate', 'openssl curl'],
    ['InstallAllUpdates', undefined],
    ['policy_2103_test', undefined],
    ['policy_2103_remediate', undefined],
  ])('takes %s with 201 and no body, and puts it into the queue', async (type, args) => {
    const service = await startService();
    expect(await service.post(QUEUE, { command_type_name: type, args })).toMatchObject({
      status: 201,
      text: '',
    });
    const queue = await service.rows(QUEUE);
    expect(queue).toEqual([
      expect.objectContaining({ server_id: 4001, command_type_name: type, args: args ?? '', response: null }),
    ]);
  });

  it('takes a body without a content type', async () => {
    const service = await startService();
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
    const service = await startService();
    const answer = await service.post(QUEUE, body);
    expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [expect.any(String)] } } });
    expect(await service.rows(QUEUE)).toEqual([]);
  });

  it('refuses half a JSON and a body beyond all measure', async () => {
    const service = await startService();
    const send = (body: string) =>
      service.raw(`${QUEUE}?o=${service.management.organizationId}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.management.apiKey}` },
        body,
      });
    expect(await send('{"command_type_name":')).toMatchObject({
      status: 400,
      body: { errors: [expect.any(String)] },
    });
    expect(await send(JSON.stringify({ args: 'x'.repeat(100_000) }))).toMatchObject({ status: 413 });
  });

  it('repeats what is repeated: there is no idempotency', async () => {
    const service = await startService();
    await service.post(QUEUE, { command_type_name: 'GetOS' });
    await service.post(QUEUE, { command_type_name: 'GetOS' });
    const ids = (await service.rows(QUEUE)).map(({ id }) => Number(id));
    expect(ids).toEqual([ids[0], Number(ids[0]) + 1]);
  });
});

describe('GET /servers/{id}/queues', () => {
  it.each([
    ['live', '2026-03-10T12:00:00+0000'],
    ['documented', '2026-03-10T12:00:00.000Z'],
  ] as const)('writes an entry as %s does', async (profile, time) => {
    const service = await startService({ profile });
    await service.post(QUEUE, { command_type_name: 'Reboot' });
    expect(await service.rows(QUEUE)).toEqual([
      {
        id: expect.any(Number),
        server_id: 4001,
        command_id: null,
        organization_id: service.management.organizationId,
        command_type_name: 'Reboot',
        agent_command_type: 3,
        args: '',
        reboot: true,
        policy_id: 0,
        exec_time: time,
        response: null,
        response_time: null,
      },
    ]);
  });
});
