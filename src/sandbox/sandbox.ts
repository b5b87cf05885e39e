/**
 * The outside world on one machine: the management service, the Slack workspace with its page, and the product
 * as a process of its own, joined only by sockets. The only file of the sandbox that builds concrete parts.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { parse } from 'yaml';
import { createClock, type MovableClock } from '../clock.ts';
import type { Management, ManagementOptions, Wire, Workspace } from './contracts.ts';
import { type Control, createControl } from './control/control.ts';
import { type Crew, createCrew } from './crew.ts';
import { createManagement } from './management/management.ts';
import { createTravel } from './moving.ts';
import type { Options } from './options.ts';
import { createWorkspace } from './slack/workspace.ts';
import { createTurns } from './turns.ts';
import { createUndo, type Undo } from './undo.ts';
import { listen } from './wire/listen.ts';
import { createWire } from './wire/wire.ts';
import { createWorkplace } from './workplace.ts';

const MANIFEST = new URL('../../manifest.yml', import.meta.url);
/** The management service's root where it shares its address with the control interface. */
const API = '/api';
const PAGE = fileURLToPath(new URL('slack/page', import.meta.url));

export type SandboxOptions = Partial<Options> & {
  /** The bot's database; absent: a fresh SQLite file in a temporary folder. A reset empties it. */
  readonly databaseUrl?: string;
  readonly logLevel?: string;
  /** The file to run as the product; the kill tests bring their own. */
  readonly entry?: string;
  /** Gets each line that the product writes, and what goes wrong in the sandbox itself. */
  readonly onLine?: (line: string) => void;
};

export type Sandbox = {
  /** Where the page and the control interface are; with `only: 'management'` the service is below it, at `/api`. */
  readonly address: string;
  readonly management: Pick<
    Management,
    'baseUrl' | 'apiKey' | 'readOnlyKey' | 'expiredKey' | 'organizationId'
  >;
  /** Ends everything that was started and removes the temporary folder. */
  readonly stop: () => Promise<void>;
};

/** Starts a sandbox; resolves once the product is ready. What was started is stopped when a later part fails. */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const undo = createUndo();
  try {
    return await assemble(options, undo);
  } catch (error) {
    await undo.all().catch(() => undefined);
    throw error;
  }
}

async function assemble(options: SandboxOptions, undo: Undo): Promise<Sandbox> {
  const control = Promise.withResolvers<Control>();
  const { port = 0 } = options;
  // Requests that come before everything stands wait for it.
  const ask = async (request: Request) => (await control.promise).fetch(request);
  if (options.only === 'management') {
    const world = await startWorld(options, undo, { port, mount: { root: API, beside: ask } });
    control.resolve(controlOfManagement(world));
    return {
      address: new URL(world.management.baseUrl).origin,
      management: world.management,
      stop: undo.all,
    };
  }
  // First of all the port, so that a taken one is known before anything else has begun.
  const listener = getRequestListener(ask, { overrideGlobalObjects: false });
  const { url, stop } = await listen((server) => server.on('request', listener), port);
  undo.add(stop);
  const world = await startWorld(options, undo);
  const workspace = await startWorkspace(options, world, undo);
  const crew = await gatherCrew(options, world, workspace, control.promise, undo);
  control.resolve(controlOfAll(world, workspace, crew));
  await crew.start();
  return { address: url, management: world.management, stop: undo.all };
}

type World = { readonly clock: MovableClock; readonly wire: Wire; readonly management: Management };

async function startWorld(
  { devices, profile, rateLimits = false, onLine }: SandboxOptions,
  undo: Undo,
  place: Pick<ManagementOptions, 'port' | 'mount'> = {},
): Promise<World> {
  const clock = createClock({ onError: (error) => onLine?.(`sandbox: ${String(error)}`) });
  undo.add(async () => clock.stop());
  const wire = createWire({ clock });
  const management = await createManagement({
    ...place,
    clock,
    wire,
    rateLimits,
    ...(devices === undefined ? {} : { devices }),
    ...(profile === undefined ? {} : { profile }),
  });
  undo.add(management.stop);
  return { clock, wire, management };
}

async function startWorkspace(
  options: SandboxOptions,
  { clock, wire }: World,
  undo: Undo,
): Promise<Workspace> {
  const { transport = 'socket', rateLimits = false } = options;
  const manifest: unknown = parse(await readFile(MANIFEST, 'utf8'));
  const workspace = await createWorkspace({ clock, wire, transport, rateLimits, manifest });
  undo.add(workspace.stop);
  return workspace;
}

async function gatherCrew(
  options: SandboxOptions,
  { clock, management }: World,
  workspace: Workspace,
  control: Promise<Control>,
  undo: Undo,
): Promise<Crew> {
  const { transport = 'socket', logLevel = 'warn', profile, entry, onLine = () => undefined } = options;
  const workplace = await createWorkplace(options.databaseUrl);
  undo.add(workplace.remove);
  const crew = await createCrew({
    ...{ clock, management, workspace, workplace, transport, logLevel, onLine },
    ...(profile === undefined ? {} : { profile }),
    ...(entry === undefined ? {} : { entry }),
    onChange: () => void control.then(({ announce }) => announce()),
  });
  undo.add(crew.stop);
  return crew;
}

function controlOfManagement(world: World): Control {
  const { clock, management, wire } = world;
  const reset = async () => {
    management.reset();
    wire.reset();
  };
  return createControl({ ...world, ...takingTurns(clock, async () => undefined, reset), pageFolder: PAGE });
}

function controlOfAll(world: World, workspace: Workspace, crew: Crew): Control {
  const { clock, management, wire } = world;
  const reset = async () => {
    // A fault must not hold up the end of the bot.
    wire.clearFaults();
    await crew.stop();
    await crew.emptyDatabase();
    management.reset();
    workspace.reset();
    wire.reset();
    await crew.start();
  };
  const town = { workspace, bots: crew, botUrl: crew.botUrl, health: crew.health };
  return createControl({ ...world, town, ...takingTurns(clock, crew.catchUp, reset), pageFolder: PAGE });
}

/** Journeys in time and resets do not overlap. */
function takingTurns(clock: MovableClock, follow: () => Promise<void>, reset: () => Promise<void>) {
  const inTurn = createTurns();
  const travel = createTravel({ clock, follow });
  return { travel: (ms: number) => inTurn(() => travel(ms)), reset: () => inTurn(reset) };
}
