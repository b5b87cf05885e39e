/**
 * One bot, the product or a baseline in its place, between a workspace and a management service of its own. The
 * bot is a process of its own behind real sockets; the services run here, so that the moment at which
 * something reaches them can be taken without another hop.
 */
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { createClock } from '../../src/clock.ts';
import type { JournalEntry, Management, Workspace } from '../../src/sandbox/contracts.ts';
import { createCrew } from '../../src/sandbox/crew.ts';
import { createManagement } from '../../src/sandbox/management/management.ts';
import { createTravel } from '../../src/sandbox/moving.ts';
import { createWorkspace } from '../../src/sandbox/slack/workspace.ts';
import { createUndo } from '../../src/sandbox/undo.ts';
import { createWire } from '../../src/sandbox/wire/wire.ts';
import { createWorkplace } from '../../src/sandbox/workplace.ts';

const MANIFEST = new URL('../../manifest.yml', import.meta.url);
/** Far above anything that is measured: a bot that is silent so long ends the bench. */
const SILENCE_MS = 10_000;

/** Milliseconds from the moment at which the envelope was sent, and the text of the private answer. */
export type Asked = { readonly ackMs: number; readonly answerMs: number; readonly answer: string };

export type Stage = {
  /** Types `/fleet text`; settles when both the acknowledgement and the private answer have come. */
  readonly ask: (text: string) => Promise<Asked>;
  /** Ends the bot and starts it again on an empty database: milliseconds until it was ready. */
  readonly restart: () => Promise<number>;
  /** Moves the clock; what fell due is done when it settles. */
  readonly travel: (ms: number) => Promise<void>;
  /** What the bot has asked of both services, from the first request on. */
  readonly journal: () => readonly JournalEntry[];
  readonly management: Pick<Management, 'baseUrl' | 'apiKey' | 'organizationId'>;
  readonly stop: () => Promise<void>;
};

export type StageOptions = {
  /** The file to run instead of the product. */
  readonly entry?: string;
  /** A management service elsewhere, which the clock here does not move. */
  readonly service?: Stage['management'];
};

/** Starts the services and the bot, which is ready when this settles. */
export async function startStage(options: StageOptions = {}): Promise<Stage> {
  const undo = createUndo();
  try {
    return await assemble(options, undo);
  } catch (error) {
    await undo.all();
    throw error;
  }
}

async function assemble(
  { entry, service }: StageOptions,
  undo: ReturnType<typeof createUndo>,
): Promise<Stage> {
  const clock = createClock();
  undo.add(async () => clock.stop());
  const wire = createWire({ clock });
  const own = await createManagement({ clock, wire });
  undo.add(own.stop);
  const management = { ...own, ...service };
  const manifest: unknown = parse(await readFile(MANIFEST, 'utf8'));
  const workspace = await createWorkspace({ clock, wire, transport: 'socket', manifest });
  undo.add(workspace.stop);
  const workplace = await createWorkplace();
  undo.add(workplace.remove);
  const crew = await createCrew({
    ...{ clock, management, workspace, workplace, transport: 'socket', logLevel: 'warn' },
    ...(entry === undefined ? {} : { entry }),
    onLine: (line) => process.stderr.write(`${line}\n`),
    onChange: () => undefined,
  });
  undo.add(crew.stop);
  await crew.start();
  return {
    ask: (text) => ask(workspace, text),
    async restart() {
      await crew.stop();
      await crew.emptyDatabase();
      const begun = performance.now();
      await crew.start();
      return performance.now() - begun;
    },
    travel: createTravel({ clock, follow: crew.catchUp }),
    journal: wire.journal,
    management,
    stop: undo.all,
  };
}

async function ask(workspace: Workspace, text: string): Promise<Asked> {
  const place = { user: 'operator', channel: 'ops' };
  const newest = () => workspace.messages(place)?.at(-1);
  const before = newest()?.ts;
  const answered = Promise.withResolvers<Pick<Asked, 'answerMs' | 'answer'>>();
  const begun = performance.now();
  const silence = setTimeout(() => answered.reject(new Error(`no answer to /fleet ${text}`)), SILENCE_MS);
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
