/** What somebody does at the machine and in the console of the service: the configuration file, and groups of the fleet. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RuleFile } from '../plan/rule-files.ts';
import type { ScheduledAction } from '../schedule.ts';
import type { FileChange } from './configuration-folder.ts';
import type { NoteAct } from './perform-step.ts';
import type { TortureStage } from './torture-stage.ts';

/** By when a changed file is in force: it is read every ten seconds and taken if it stayed the same, or at once after SIGHUP. */
const IN_FORCE_MS = { read: 25_000, hangup: 8_000 } as const;
const LOOK_EVERY_MS = 250;

type Steps = { readonly note: NoteAct; readonly begin: (work: Promise<unknown>) => Promise<void> };

export function createFileSteps(
  { client, changeConfiguration }: Pick<TortureStage, 'client' | 'changeConfiguration'>,
  { note, begin }: Steps,
) {
  let changes = 0;
  let file: RuleFile = 'calm';
  let isRight = true;
  let withinMs: number = IN_FORCE_MS.read;
  let since = 0;
  let starting = 0;

  /** What nobody changed for so long, while no process stood still or started, is in force in each of them. */
  const noteInForce = async (change: number): Promise<void> => {
    while (performance.now() - since < withinMs) {
      await pause(LOOK_EVERY_MS);
      if (change !== changes) return;
      if (starting > 0 || (await client.botReport()).paused.length > 0) since = performance.now();
    }
    await note('file-in-force', ['world'], file);
  };

  const change = async (how: FileChange, next: RuleFile): Promise<void> => {
    changes += 1;
    withinMs = IN_FORCE_MS.read;
    isRight = how === 'write' || how === 'swap';
    if (isRight) {
      file = next;
      await note('file', ['world'], file);
    }
    await changeConfiguration(how, next);
    since = performance.now();
    if (isRight) void begin(noteInForce(changes));
  };

  return {
    change,
    onHangup(): void {
      if (starting > 0) return;
      withinMs = IN_FORCE_MS.hangup;
      since = performance.now();
    },
    /** A process that starts may have read the file before it changed, and hears no signal yet. */
    async onStart(started: Promise<void>): Promise<void> {
      starting += 1;
      withinMs = IN_FORCE_MS.read;
      await started;
      starting -= 1;
    },
    /** Without a file that is right no process starts. */
    restore: async (): Promise<void> => (isRight ? undefined : change('write', file)),
  };
}

/** The group of the fleet that has no name. */
const TOP_GROUP = 3_100;

export async function changeGroup(
  { client }: Pick<TortureStage, 'client'>,
  { how, group }: Extract<ScheduledAction, { do: 'console' }>,
  note: NoteAct,
): Promise<void> {
  const { management, organization } = await client.state();
  const [method, what] = how === 'rename' ? (['PUT', 'edit'] as const) : (['DELETE', 'remove'] as const);
  await note('console', ['world'], `group ${group} ${what}`);
  const body = { name: `Renamed ${group}`, refresh_interval: 1_440, parent_server_group_id: TOP_GROUP };
  await fetch(`${management.baseUrl}/servergroups/${group}?o=${organization.id}`, {
    method,
    headers: { authorization: `Bearer ${management.apiKey}`, 'content-type': 'application/json' },
    ...(method === 'PUT' ? { body: JSON.stringify(body) } : {}),
  });
}
