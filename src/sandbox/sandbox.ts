/**
 * The outside world on one machine: the management service, the Slack workspace with its page, and the product as a
 * separate process, joined only by sockets. The only file of the sandbox that builds concrete parts.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { parse } from 'yaml';
import { createClock, type MovableClock } from '../lib/clock.ts';
import { createAdvanceClocks, followMoves } from './clock-sync.ts';
import type { CommandLineOptions } from './command-line-options.ts';
import type { ManagementOptions, ManagementService, Wire, Workspace } from './contracts/services.ts';
import { type Control, createControl } from './control/control.ts';
import { type CleanupStack, createCleanupStack, createRunInTurn } from './lifecycle.ts';
import { createManagement } from './management/management.ts';
import { createProductSetup, createTemporaryFolder, type ProductSetup } from './process/product-setup.ts';
import { createWorkspace } from './slack/workspace.ts';
import { listenOnLoopback } from './wire/listen.ts';
import { createWire } from './wire/wire.ts';

const MANIFEST = new URL('../../manifest.yml', import.meta.url);
/** Path of the management service where it shares its address with the control interface. */
const API = '/api';
const PAGE = fileURLToPath(new URL('slack/page', import.meta.url));

export type SandboxOptions = Partial<CommandLineOptions> & {
  /** The bot's database; absent: a new SQLite file in a temporary folder. A reset empties it. */
  readonly databaseUrl?: string;
  readonly logLevel?: string;
  /** The file to run as the product; the kill tests pass their own. */
  readonly entry?: string;
  /** Receives each line that the product writes, and errors of the sandbox itself. */
  readonly onLine?: (line: string) => void;
};

export type Sandbox = {
  /** Address of the page and the control interface; with `only: 'management'` the service is below it, at `/api`. */
  readonly address: string;
  readonly management: Pick<
    ManagementService,
    'baseUrl' | 'apiKey' | 'readOnlyKey' | 'expiredKey' | 'organizationId'
  >;
  /** Ends everything that was started and removes the temporary folder. */
  readonly stop: () => Promise<void>;
};

/** Starts a sandbox; resolves once the product is ready. If a later part fails, everything started is stopped. */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const undo = createCleanupStack();
  try {
    return await assemble(options, undo);
  } catch (error) {
    await undo.all().catch(() => undefined);
    throw error;
  }
}

async function assemble(options: SandboxOptions, undo: CleanupStack): Promise<Sandbox> {
  const control = Promise.withResolvers<Control>();
  const { port = 0 } = options;
  // Requests that arrive during the start wait until it is done.
  const ask = async (request: Request) => (await control.promise).fetch(request);
  if (options.only === 'management') {
    const world = await startWorld(options, undo, { port, mount: { root: API, beside: ask } });
    control.resolve(managementControl(world));
    return {
      address: new URL(world.management.baseUrl).origin,
      management: world.management,
      stop: undo.all,
    };
  }
  // The port first, so that one in use fails before anything else has started.
  const listener = getRequestListener(ask, { overrideGlobalObjects: false });
  const { url, stop } = await listenOnLoopback((server) => server.on('request', listener), port);
  undo.add(stop);
  const world = await startWorld(options, undo);
  const { clock, wire, management } = world;
  const { transport = 'socket', rateLimits = false, profile, entry } = options;
  const manifest: unknown = parse(await readFile(MANIFEST, 'utf8'));
  const workspace = await createWorkspace({ clock, wire, transport, rateLimits, manifest });
  undo.add(workspace.stop);
  const temporaryFolder = await createTemporaryFolder(options.databaseUrl);
  undo.add(temporaryFolder.remove);
  const productSetup = await createProductSetup({
    ...{ clock, management, workspace, temporaryFolder, transport },
    logLevel: options.logLevel ?? 'warn',
    ...(profile === undefined ? {} : { profile }),
    ...(entry === undefined ? {} : { entry }),
    onLine: options.onLine ?? (() => undefined),
    onChange: () => void control.promise.then(({ announce }) => announce()),
  });
  undo.add(productSetup.stop);
  control.resolve(fullControl(world, workspace, productSetup));
  await productSetup.start();
  return { address: url, management, stop: undo.all };
}

type StartedWorld = {
  readonly clock: MovableClock;
  readonly wire: Wire;
  readonly management: ManagementService;
};

async function startWorld(
  { devices, profile, rateLimits = false, onLine }: SandboxOptions,
  undo: CleanupStack,
  serviceOptions: Pick<ManagementOptions, 'port' | 'mount'> = {},
): Promise<StartedWorld> {
  const clock = createClock({ onError: (error) => onLine?.(`sandbox: ${String(error)}`) });
  undo.add(async () => clock.stop());
  const wire = createWire({ clock });
  const management = await createManagement({
    ...serviceOptions,
    clock,
    wire,
    rateLimits,
    ...(devices === undefined ? {} : { devices }),
    ...(profile === undefined ? {} : { profile }),
  });
  undo.add(management.stop);
  return { clock, wire, management };
}

function managementControl(world: StartedWorld): Control {
  const { clock, management, wire } = world;
  const reset = async () => {
    management.reset();
    wire.reset();
  };
  const moves = serialized(clock, createRunInTurn(), async () => undefined, reset);
  return createControl({ ...world, ...moves, pageFolder: PAGE });
}

function fullControl(world: StartedWorld, workspace: Workspace, productSetup: ProductSetup): Control {
  const { clock, management, wire } = world;
  const reset = async () => {
    // A fault must not delay the end of the bot.
    wire.clearFaults();
    await productSetup.rest();
    await productSetup.restore();
    management.reset();
    workspace.reset();
    wire.reset();
    await productSetup.start();
  };
  const inTurn = createRunInTurn();
  const { read, write } = productSetup.configuration;
  const configuration = { read, write: (text: string) => inTurn(() => write(text)) };
  const workspaceState = {
    workspace,
    bots: { ...productSetup, configuration },
    botUrl: productSetup.botUrl,
    health: productSetup.health,
  };
  const control = createControl({
    ...world,
    workspaceState,
    ...serialized(clock, inTurn, productSetup.catchUp, reset, () => control.announce()),
    pageFolder: PAGE,
  });
  return control;
}

/** Clock moves, resets and what else is put `inTurn` run one after the other. */
function serialized(
  clock: MovableClock,
  inTurn: ReturnType<typeof createRunInTurn>,
  follow: () => Promise<void>,
  reset: () => Promise<void>,
  onChange: () => void = () => undefined,
) {
  const travel = createAdvanceClocks({ clock, follow });
  const moves = followMoves((ms) => inTurn(() => travel(ms)), { follow }, onChange);
  return { ...moves, reset: () => inTurn(reset) };
}
