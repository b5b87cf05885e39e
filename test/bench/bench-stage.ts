/**
 * One bot, the product or a baseline in its place, between its own workspace and management service. The bot is a
 * separate process behind real sockets; the services run here, so that the time at which something reaches them is
 * measured without another hop.
 */
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { createClock } from '../../src/lib/clock.ts';
import { createAdvanceClocks } from '../../src/sandbox/clock-sync.ts';
import type { JournalEntry, ManagementService, Workspace } from '../../src/sandbox/contracts/services.ts';
import { createCleanupStack } from '../../src/sandbox/lifecycle.ts';
import { createManagement } from '../../src/sandbox/management/management.ts';
import { createProductSetup, createTemporaryFolder } from '../../src/sandbox/process/product-setup.ts';
import { createWorkspace } from '../../src/sandbox/slack/workspace.ts';
import { createWire } from '../../src/sandbox/wire/wire.ts';

const MANIFEST = new URL('../../manifest.yml', import.meta.url);
/** Far above anything measured: a bot that is silent this long ends the bench. */
const QUIET_MS = 10_000;

/** Milliseconds from the moment at which the envelope was sent, and the text of the private answer. */
export type AnswerTiming = { readonly ackMs: number; readonly answerMs: number; readonly answer: string };

export type BenchStage = {
  /** Types `/fleet text`; resolves when both the acknowledgement and the private answer have come. */
  readonly sendCommand: (text: string) => Promise<AnswerTiming>;
  /** Ends the bot and starts it again on an empty database: milliseconds until it was ready. */
  readonly restart: () => Promise<number>;
  /** Moves the clock; resolves when everything that fell due is done. */
  readonly advanceClock: (ms: number) => Promise<void>;
  /** The bot's requests to both services, from the first one on. */
  readonly journal: () => readonly JournalEntry[];
  readonly management: Pick<ManagementService, 'baseUrl' | 'apiKey' | 'organizationId'>;
  readonly stop: () => Promise<void>;
};

export type BenchStageOptions = {
  /** The file to run instead of the product. */
  readonly entry?: string;
  /** A management service elsewhere, which the clock here does not move. */
  readonly service?: BenchStage['management'];
};

/** Starts the services and the bot; resolves when the bot is ready. */
export async function startBenchStage(options: BenchStageOptions = {}): Promise<BenchStage> {
  const undo = createCleanupStack();
  try {
    return await assemble(options, undo);
  } catch (error) {
    await undo.all();
    throw error;
  }
}

async function assemble(
  { entry, service }: BenchStageOptions,
  undo: ReturnType<typeof createCleanupStack>,
): Promise<BenchStage> {
  const clock = createClock();
  undo.add(async () => clock.stop());
  const wire = createWire({ clock });
  const own = await createManagement({ clock, wire });
  undo.add(own.stop);
  const management = { ...own, ...service };
  const manifest: unknown = parse(await readFile(MANIFEST, 'utf8'));
  const workspace = await createWorkspace({ clock, wire, transport: 'socket', manifest });
  undo.add(workspace.stop);
  const temporaryFolder = await createTemporaryFolder();
  undo.add(temporaryFolder.remove);
  const productSetup = await createProductSetup({
    ...{ clock, management, workspace, temporaryFolder, transport: 'socket', logLevel: 'warn' },
    ...(entry === undefined ? {} : { entry }),
    onLine: (line) => process.stderr.write(`${line}\n`),
    onChange: () => undefined,
  });
  undo.add(productSetup.stop);
  await productSetup.start();
  return {
    sendCommand: (text) => ask(workspace, text),
    async restart() {
      await productSetup.stop();
      await productSetup.restore();
      const begun = performance.now();
      await productSetup.start();
      return performance.now() - begun;
    },
    advanceClock: createAdvanceClocks({ clock, follow: productSetup.catchUp }),
    journal: wire.journal,
    management,
    stop: undo.all,
  };
}

async function ask(workspace: Workspace, text: string): Promise<AnswerTiming> {
  const place = { user: 'operator', channel: 'ops' };
  const newest = () => workspace.messages(place)?.at(-1);
  const before = newest()?.ts;
  const answered = Promise.withResolvers<Pick<AnswerTiming, 'answerMs' | 'answer'>>();
  const begun = performance.now();
  const silence = setTimeout(() => answered.reject(new Error(`no answer to /fleet ${text}`)), QUIET_MS);
  const forget = workspace.onChange(() => {
    const answerMs = performance.now() - begun;
    const message = newest();
    if (message && message.ts !== before) answered.resolve({ answerMs, answer: message.text });
  });
  const command = async (): Promise<number> => {
    const acked = await workspace.command({ ...place, command: '/fleet', text });
    if (!acked.ok) throw new Error(`/fleet ${text}: ${acked.error}`);
    return performance.now() - begun;
  };
  try {
    const [ackMs, answer] = await Promise.all([command(), answered.promise]);
    return { ackMs, ...answer };
  } finally {
    clearTimeout(silence);
    forget();
  }
}
