/** The live answers of the local service, with as much variety as it has. */
import { DAY, MINUTE } from '../../../../src/lib/clock.ts';
import { DEVICE_ID, requestFor } from '../coverage/sample-requests.ts';
import type { CoverageStage } from '../coverage/stage.ts';
import { itemsOf } from '../coverage/stage.ts';

/** By endpoint. */
export type OurAnswers = Readonly<Record<string, readonly unknown[]>>;

const COMMANDS = [
  { command_type_name: 'Reboot' },
  { command_type_name: 'GetOS' },
  { command_type_name: 'InstallUpdate', args: 'KB5042881' },
  { command_type_name: 'policy_2103_remediate' },
];

/** Of every device and every group, since each lacks something that another has. */
export async function ourAnswers(stage: CoverageStage): Promise<OurAnswers> {
  const rows = async (endpoint: string, more: object = {}) =>
    itemsOf(await stage.ask({ ...requestFor(endpoint, stage), ...more }));
  const idsIn = (found: readonly Readonly<Record<string, unknown>>[]) => found.map(({ id }) => Number(id));
  const each = async (endpoint: string, ids: readonly number[]) =>
    (await Promise.all(ids.map((id) => rows(endpoint, { id })))).flat();
  stage.management.world({ do: 'device-added', name: 'never-scanned' });
  const [bare, detailed] = [await rows('GET /servers', { query: {} }), await rows('GET /servers')];
  const devices = idsIn(detailed);
  const queues = await queuesOf(stage, rows);
  const groups = await rows('GET /servergroups');
  const policies = await rows('GET /policies');
  const created = await createdGroups(stage);
  const batch = await rows('POST /servers/batch');
  return {
    'GET /servers': [...bare, ...detailed],
    'GET /servers/{id}': await each('GET /servers/{id}', devices),
    'GET /servers/{id}/packages': await each('GET /servers/{id}/packages', devices),
    'GET /servers/{id}/queues': queues,
    'GET /events': await rows('GET /events'),
    'GET /servergroups': groups,
    'GET /servergroups/{id}': await each('GET /servergroups/{id}', idsIn(groups)),
    'POST /servergroups': created,
    'POST /policies/device-filters-preview': await rows('POST /policies/device-filters-preview', {
      query: { limit: 200 },
    }),
    'GET /policies': policies,
    'GET /policies/{id}': await each('GET /policies/{id}', idsIn(policies)),
    'GET /orgs': await rows('GET /orgs'),
    'POST /servers/batch': batch,
  };
}

type AskRows = (endpoint: string, more?: object) => Promise<readonly unknown[]>;

/** Entries that wait, and answered ones. */
async function queuesOf(stage: CoverageStage, rows: AskRows): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  for (const body of COMMANDS)
    await stage.ask({ endpoint: 'POST /servers/{id}/queues', id: DEVICE_ID, body });
  for (let step = 0; step < 12; step += 1) {
    seen.push(...(await rows('GET /servers/{id}/queues')));
    await stage.clock.advance(MINUTE / 6);
  }
  await stage.clock.advance(DAY);
  return seen;
}

/** A whole group, one with only what is required, and one with each half of the settings for updates. */
async function createdGroups(stage: CoverageStage): Promise<readonly unknown[]> {
  const request = requestFor('POST /servergroups', stage);
  const { name, refresh_interval, parent_server_group_id, enable_wsus, wsus_server } = request.body ?? {};
  const least = { name, refresh_interval, parent_server_group_id };
  const bodies = [request.body, least, { ...least, enable_wsus }, { ...least, wsus_server }];
  const replies = await Promise.all(
    bodies.map((body, index) => stage.ask({ ...request, body: { ...body, name: `Group ${index}` } })),
  );
  return replies.map(({ body }) => body);
}
