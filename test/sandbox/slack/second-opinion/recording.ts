/** Records every Web API call of the product in a sandbox, with its answer. */
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import { createClock, MINUTE } from '../../../../src/lib/clock.ts';
import { createAdvanceClocks } from '../../../../src/sandbox/clock-sync.ts';
import type { SeenMessage } from '../../../../src/sandbox/contracts/people.ts';
import type { Wire, Workspace } from '../../../../src/sandbox/contracts/services.ts';
import { type CleanupStack, createCleanupStack } from '../../../../src/sandbox/lifecycle.ts';
import { createManagement } from '../../../../src/sandbox/management/management.ts';
import { createProductSetup, createTemporaryFolder } from '../../../../src/sandbox/process/product-setup.ts';
import { asJsonObject, type JsonObject } from '../../../../src/sandbox/slack/core/json-object.ts';
import { createWorkspace } from '../../../../src/sandbox/slack/workspace.ts';
import { createWire } from '../../../../src/sandbox/wire/wire.ts';
import { until } from '../../../harness/until.ts';

export type RecordedCall = {
  readonly method: string;
  readonly args: JsonObject;
  readonly answer: JsonObject;
};

const MANIFEST = new URL('../../../../manifest.yml', import.meta.url);
const API = '/api/';
const openedSchema = z.object({ id: z.string() });

/** A device card, an approved reboot, one whose reason is asked for in a form, and an alert. */
export async function recordProduct(): Promise<readonly RecordedCall[]> {
  const undo = createCleanupStack();
  const calls: RecordedCall[] = [];
  try {
    const { workspace, failPatch, travel } = await startProduct(calls, undo);
    const asks = (text: string) => {
      const place = { user: 'operator', channel: 'ops' };
      return workspace.command({ ...place, command: '/fleet', text });
    };
    const presses = async (user: string, channel: string, part: string, action_id: string) => {
      const { ts } = await message(workspace, { user, channel }, part);
      return workspace.click({ user, channel, ts, action_id });
    };
    await asks('device web-01');
    await asks('reboot web-01 because kernel update');
    await presses('approver', 'approvals', 'web-01', 'approve');
    const window = await until(() => openedSchema.safeParse(workspace.views('approver').modals[0]).data, {
      what: 'the window',
    });
    await workspace.submit({ user: 'approver', view_id: window.id, values: {} });
    await asks('reboot web-02');
    await presses('operator', 'ops', 'add_reason', 'add_reason');
    await until(() => calls.filter(({ method }) => method === 'views.open').length === 2, { what: 'a form' });
    failPatch();
    await travel(MINUTE);
    await message(workspace, { user: 'operator', channel: 'patch-alerts' }, 'web-03');
    await until(() => calls.some(({ method }) => method === 'chat.update'), { what: 'an update' });
    return [...calls];
  } finally {
    await undo.all();
  }
}

async function startProduct(calls: RecordedCall[], undo: CleanupStack) {
  const clock = createClock();
  undo.add(async () => clock.stop());
  const wire = createWire({ clock });
  const management = await createManagement({ clock, wire });
  undo.add(management.stop);
  const manifest: unknown = parse(await readFile(MANIFEST, 'utf8'));
  const heard = recording(wire, (call) => calls.push(call));
  const workspace = await createWorkspace({ clock, wire: heard, transport: 'socket', manifest });
  undo.add(workspace.stop);
  const temporaryFolder = await createTemporaryFolder();
  undo.add(temporaryFolder.remove);
  const productSetup = await createProductSetup({
    ...{ clock, management, workspace, temporaryFolder, transport: 'socket', logLevel: 'warn' },
    onLine: () => undefined,
    onChange: () => undefined,
  });
  undo.add(productSetup.stop);
  await productSetup.start();
  return {
    workspace,
    failPatch: () => management.world({ do: 'patch-fails', device: 'web-03', patch: 'openssl' }),
    travel: createAdvanceClocks({ clock, follow: productSetup.catchUp }),
  };
}

/** The same wire, reporting each Web API call once it was answered. */
function recording(wire: Wire, tell: (call: RecordedCall) => void): Wire {
  return {
    ...wire,
    serve: (options) =>
      wire.serve({
        ...options,
        async fetch(request) {
          const { pathname } = new URL(request.url);
          const body = pathname.startsWith(API) ? await request.clone().text() : '';
          const response = await options.fetch(request);
          if (pathname.startsWith(API)) {
            const answer = asJsonObject(await response.clone().json());
            tell({ method: pathname.slice(API.length), args: readForm(body), answer });
          }
          return response;
        },
      }),
  };
}

/** Fields that Slack's client writes as JSON into its forms. */
const WRITTEN_AS_JSON: ReadonlySet<string> = new Set(['blocks', 'metadata', 'view']);

function readForm(body: string): JsonObject {
  const fields = [...new URLSearchParams(body)];
  return Object.fromEntries(
    fields.map(([name, value]) => [name, WRITTEN_AS_JSON.has(name) ? JSON.parse(value) : value]),
  );
}

type Place = Parameters<Workspace['messages']>[0];

/** The first message there that contains `part`. */
function message(workspace: Workspace, place: Place, part: string): Promise<SeenMessage> {
  const holds = (seen: SeenMessage) => JSON.stringify(seen).includes(part);
  return until(() => workspace.messages(place)?.find(holds), { what: `${part} in #${place.channel}` });
}
