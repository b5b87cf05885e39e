/** The local service in its live profile, compared with recorded and published answers of the real one. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CoverageStage, startCoverageStage } from '../coverage/coverage-harness.ts';
import type { CoverageReply, CoverageRequest } from '../coverage/requester.ts';
import { missingFrom, shapesOf } from './shape.ts';

function recorded(file: string): readonly Readonly<Record<string, unknown>>[] {
  const text = readFileSync(new URL(`../../../fixtures/management/${file}`, import.meta.url), 'utf8');
  const json: unknown = JSON.parse(text);
  return (Array.isArray(json) ? json : [json]).map((row: unknown) => Object.assign({}, row));
}

let stage: CoverageStage;
beforeAll(async () => {
  stage = await startCoverageStage('live');
});
afterAll(() => stage.stop());

async function rows(request: CoverageRequest): Promise<readonly unknown[]> {
  const { status, body } = await stage.ask(request);
  expect(status).toBe(200);
  return Array.isArray(body) ? body : [body];
}

function expectShape(ours: readonly unknown[], theirs: readonly unknown[]): void {
  expect(missingFrom(shapesOf(ours), shapesOf(theirs))).toEqual([]);
}

describe('recorded answers have nothing that the local service lacks', () => {
  it('a row of the list of devices, with details', async () => {
    const query = { include_details: 1, include_next_patch_time: 1 };
    const file = 'servers-list-2022.json';
    expectShape(await rows({ endpoint: 'GET /servers', query }), recorded(file));
  });

  it('a row of the list of groups', async () => {
    const file = 'servergroups-list-2022.json';
    expectShape(await rows({ endpoint: 'GET /servergroups' }), recorded(file));
  });

  it('a package', async () => {
    const file = 'packages-2026.json';
    expectShape(await rows({ endpoint: 'GET /servers/{id}/packages', id: 4_004 }), recorded(file));
  });

  it('an entry of a queue', async () => {
    const body = { command_type_name: 'Reboot' };
    await stage.ask({ endpoint: 'POST /servers/{id}/queues', id: 4_004, body });
    const file = 'queue-2026.json';
    const [ours, ...others] = await rows({ endpoint: 'GET /servers/{id}/queues', id: 4_004 });
    expect(others).toEqual([]);
    expectShape([ours], recorded(file));
    // Words and numbers that are the same for every reboot.
    const { command_type_name, agent_command_type, args, reboot, response, response_time } =
      recorded(file)[0] ?? {};
    expect(ours).toMatchObject({
      command_type_name,
      agent_command_type,
      args,
      reboot,
      response,
      response_time,
    });
  });

  it('a count of events', async () => {
    const file = 'events-count-only-2026.json';
    const query = { countOnly: 1, eventName: 'system.patch.applied' };
    const ours = await rows({ endpoint: 'GET /events', query });
    expectShape(ours, recorded(file));
    expect(Object.keys(Object(ours[0]))).toEqual(Object.keys(recorded(file)[0] ?? {}));
  });

  it('an event', async () => {
    const events = await rows({ endpoint: 'GET /events' });
    const samples = recorded('events-published.json').map(({ sample }) => sample);
    // One published event has the data of every kind at once.
    expectShape(events, samples);
  });
});

describe('errors are those that were recorded', () => {
  const [forbidden, problem, validation, absent] = recorded('errors-2026.json');
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

  it('403 of newer services', async () => {
    const reply = await stage.ask({ endpoint: 'GET /global/api_keys' });
    same(reply, bare(problem));
  });

  it('400 keyed by field', async () => {
    const reply = await stage.ask({ endpoint: 'POST /servergroups', body: {} });
    const { name } = Object(reply.body).errors;
    expectShape([{ errors: { server_groups: name } }], [validation?.['body']]);
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
