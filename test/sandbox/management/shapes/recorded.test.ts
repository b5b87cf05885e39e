/** Values, errors and headers of the local service in its live profile, compared with recorded ones. */
import { describe, expect, it } from 'vitest';
import { useStarted } from '../../../harness/use-started.ts';
import type { CoverageReply, CoverageRequest } from '../coverage/stage.ts';
import { startCoverageStage } from '../coverage/stage.ts';
import { recorded, shapesOf } from './sources.ts';

const stage = useStarted(() => startCoverageStage('live'));

it('a reboot in a queue has the words and numbers that were recorded', async () => {
  const body = { command_type_name: 'Reboot' };
  await stage.ask({ endpoint: 'POST /servers/{id}/queues', id: 4_004, body });
  const reply = await stage.ask({ endpoint: 'GET /servers/{id}/queues', id: 4_004 });
  const { command_type_name, agent_command_type, args, reboot, response, response_time } =
    recorded('queue-2026.json')[0] ?? {};
  expect(reply).toMatchObject({
    status: 200,
    body: [{ command_type_name, agent_command_type, args, reboot, response, response_time }],
  });
});

it('a count of events has the keys that were recorded', async () => {
  const query = { countOnly: 1, eventName: 'system.patch.applied' };
  const { status, body } = await stage.ask({ endpoint: 'GET /events', query });
  expect(status).toBe(200);
  expect(body).toMatchObject({ size: expect.any(Number), results: [] });
  expect(Object.keys(Object(body))).toEqual(Object.keys(recorded('events-count-only-2026.json')[0] ?? {}));
});

describe('errors are those that were recorded', () => {
  const [forbidden, , validation, absent] = recorded('errors-2026.json');
  const readOnly = (): CoverageRequest => ({
    endpoint: 'POST /servers/{id}/queues',
    id: 4_004,
    body: { command_type_name: 'Reboot' },
    headers: { authorization: `Bearer ${stage.management.readOnlyKey}` },
  });
  const same = ({ status, body }: CoverageReply, theirs: unknown): void =>
    expect({ status, body }).toMatchObject(Object(theirs));
  const bare = (entry: typeof forbidden) => ({ status: entry?.['status'], body: entry?.['body'] });

  it('403 of the console', async () => {
    same(await stage.ask(readOnly()), bare(forbidden));
    same(await stage.ask({ endpoint: 'GET /servergroups/{id}', id: 1 }), bare(forbidden));
  });

  it('400 keyed by field', async () => {
    const reply = await stage.ask({ endpoint: 'POST /servergroups', body: {} });
    const { name } = Object(reply.body).errors;
    expect(shapesOf([{ errors: { server_groups: name } }])).toEqual(shapesOf([validation?.['body']]));
    expect(reply).toMatchObject({ status: 400, body: { errors: { name: ['The name field is required.'] } } });
  });

  it('404 of an absent policy', async () => {
    same(await stage.ask({ endpoint: 'GET /policies/{id}', id: 1 }), bare(absent));
  });
});

it('the headers that count requests are those that were recorded', async () => {
  const [theirs] = recorded('response-headers-2022.json');
  const own = (name: string) => name.startsWith('x-');
  const { baseUrl, apiKey, organizationId } = stage.management;
  const answer = await fetch(`${baseUrl}/servers?o=${organizationId}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const names = Object.keys(Object(theirs?.['response_headers'])).filter(own);
  expect([...answer.headers.keys()].filter(own).sort()).toEqual(names.sort());
});
