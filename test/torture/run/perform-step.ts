/** Performs one step on a stage, over the control interface alone. */

import { z } from 'zod';
import { isToSubmit, openedByPress, opensWindow, submitDecision } from '../../harness/decide-in-window.ts';
import { until } from '../../harness/until.ts';
import type { ScheduledAction, ScheduleStep, ScheduleUser } from '../schedule.ts';
import { changeGroup, createFileSteps } from './console-and-file.ts';
import { decideSeveral } from './decide-several.ts';
import { fillInForm } from './fill-in-form.ts';
import type { TortureStage } from './torture-stage.ts';

/** What a person did, for the checker: the time on the sandbox's clock, and the action. */
export type PerformedAction = {
  readonly at: number;
  readonly user: ScheduleUser | 'world';
  readonly kind: 'type' | 'press' | 'form' | 'world' | 'bot' | 'file' | 'file-in-force' | 'console';
  readonly what: string;
  /** The key of the card that was pressed. */
  readonly card?: string | null;
};
export type NoteAct = (
  kind: PerformedAction['kind'],
  users: readonly PerformedAction['user'][],
  what: string,
  card?: string | null,
) => Promise<void>;
export type StepPerformer = {
  readonly perform: (step: ScheduleStep) => Promise<void>;
  readonly acts: readonly PerformedAction[];
  /** Resolves when everything that was started has ended. */
  readonly settled: () => Promise<void>;
};

/** How long the next step waits for an action that continues on its own. */
const PATIENCE = { process: 12_000, start: 3_000, clockAlone: 30_000, clock: 50, database: 15_000 } as const;

/** A window that opens later is left alone: many a press is refused with an answer instead. */
const WINDOW_WITHIN_MS = 5_000;

/** Hours and days. */
const LONG_JOURNEY = /[hd]$/;

export function createPerformer(stage: TortureStage, onTrouble: (what: string) => void): StepPerformer {
  const acts: PerformedAction[] = [];
  const begun = new Set<Promise<void>>();
  const { client } = stage;

  const begin = (work: Promise<unknown>): Promise<void> => {
    const done = work.then(
      () => undefined,
      (error: unknown) => onTrouble(String(error)),
    );
    begun.add(done);
    void done.finally(() => begun.delete(done));
    return done;
  };
  const note: NoteAct = async (kind, users, what, card = null) => {
    const { clock: at } = await client.state();
    acts.push(...users.map((user) => ({ at, user, kind, what, card })));
  };
  const file = createFileSteps(stage, { note, begin });

  const type = async ({ user, channel, text }: Extract<ScheduledAction, { do: 'type' }>): Promise<void> => {
    await note('type', [user], text);
    if (channel.startsWith('@')) await client.message({ user, channel, text });
    else await client.command({ user, channel, command: '/fleet', text });
  };

  const press = async ({
    users,
    channel,
    action,
    pick,
    about = '',
  }: Extract<ScheduledAction, { do: 'press' }>): Promise<void> => {
    const [first = 'operator'] = users;
    const messages = await client.messages(channel, first);
    const live = messages.flatMap(({ ts, text, blocks, metadata }) => {
      const id = actionIn(blocks, action);
      return id === null || !text.includes(about) ? [] : [{ ts, id, key: cardKeyIn(metadata) }];
    });
    const chosen = live[Math.floor(pick * live.length)];
    if (chosen === undefined) return;
    await note('press', users, action, chosen.key);
    await Promise.all(
      users.map(async (user) => {
        const click = () => client.click({ user, channel, ts: chosen.ts, action_id: chosen.id });
        if (!opensWindow(action)) return click();
        const within = { timeoutMs: WINDOW_WITHIN_MS };
        const window = await openedByPress(client, user, click, within).catch(() => null);
        const isReady = window !== null && isToSubmit(window, action);
        return isReady ? submitDecision(client, user, window) : null;
      }),
    );
  };

  const form = async ({ user, text, pick }: Extract<ScheduledAction, { do: 'form' }>): Promise<void> => {
    await note('form', [user], text);
    await fillInForm(client, { user, text, pick });
    await note('form', [user], text);
  };

  const several = async ({ user, action }: Extract<ScheduledAction, { do: 'several' }>): Promise<void> => {
    const onMarked = (ids: readonly string[]) =>
      Promise.all(ids.map((id) => note('press', [user], action, `approval:${id}`)));
    await decideSeveral(client, { user, action, onMarked });
  };

  /** The answer does not matter: what the press opens is closed unread. */
  const forge = async ({ user, channel }: Extract<ScheduledAction, { do: 'forge' }>): Promise<void> => {
    const { slack, channels } = await client.state();
    const messages = await client.messages(channel, user);
    const button = messages.flatMap(({ blocks }) => buttonIn(blocks, 'approve') ?? []).at(-1);
    if (button === undefined) return;
    const answer = await fetch(`${slack.apiUrl}chat.postMessage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${slack.botToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        channel: channels.find(({ name }) => name === channel)?.id,
        text: 'Lunch?',
        blocks: [{ type: 'actions', elements: [button] }],
      }),
    });
    const { ts } = forgedSchema.parse(await answer.json());
    await client.click({ user, channel, ts, action_id: button.action_id });
    const opened = async () => ((await client.views(user)).modals.length > 0 ? true : undefined);
    await until(opened, { timeoutMs: 3_000, what: 'a window' }).catch(() => undefined);
    for (const { id } of (await client.views(user)).modals) await client.close({ user, view_id: id });
  };

  const world = async ({ order }: Extract<ScheduledAction, { do: 'world' }>): Promise<void> => {
    await client.world(order);
    await note('world', ['world'], `${order.do} ${order.device ?? ''}`);
  };

  const burst = async ({ count, device }: Extract<ScheduledAction, { do: 'burst' }>): Promise<void> => {
    const { clock } = await client.state();
    for (let number = 1; number <= count; number += 1)
      await client.world({ do: 'patch-fails', device, reason: `burst ${clock}/${number}` });
  };

  const perform = async ({ deed }: ScheduleStep): Promise<void> => {
    switch (deed.do) {
      case 'type':
        return void begin(type(deed));
      case 'press':
        return void begin(press(deed));
      case 'form':
        return void begin(form(deed));
      case 'world':
        return begin(world(deed));
      case 'forge':
        return begin(forge(deed));
      case 'burst':
        return begin(burst(deed));
      case 'several':
        return void begin(several(deed));
      case 'file':
        return begin(file.change(deed.how, deed.file));
      case 'console':
        return begin(changeGroup(stage, deed, note));
      case 'fault':
        return begin(client.fault(deed.fault));
      case 'mend':
        return begin(client.clearFaults());
      case 'delivery':
        return begin(
          client.delivery({ do: deed.how, ...(deed.times === undefined ? {} : { times: deed.times }) }),
        );
      case 'database':
        return atMost(PATIENCE.database, begin(stage.trouble(deed.how)));
      case 'bot': {
        const { do: _, how, ...choice } = deed;
        if (how === 'pause-at-claim') return begin(stage.stopAtClaim(true));
        if (how === 'resume') await note('bot', ['world'], how);
        if (how === 'hangup') file.onHangup();
        const patience = how === 'start' ? PATIENCE.start : PATIENCE.process;
        const done = begin(client.bot({ do: how, ...choice }));
        if (how === 'start') void file.onStart(done);
        return atMost(patience, done);
      }
      case 'clock': {
        const { running } = await client.botReport();
        // A running bot would poll all the way, for minutes: days pass only while it is down.
        if (running > 0 && LONG_JOURNEY.test(deed.advance)) return;
        const journey = begin(client.advance(deed.advance));
        return atMost(running === 0 ? PATIENCE.clockAlone : PATIENCE.clock, journey);
      }
      default:
        return deed satisfies never;
    }
  };

  const settled = async (): Promise<void> => {
    await file.restore();
    while (begun.size > 0) await Promise.all(begun);
    await stage.stopAtClaim(false);
  };
  return { perform, acts, settled };
}

/** The id of the first element in these blocks with this id or prefix. */
function actionIn(blocks: readonly unknown[], action: string): string | null {
  for (const [, id = ''] of JSON.stringify(blocks).matchAll(/"action_id":"([^"]+)"/g))
    if (id === action || id.startsWith(`${action}:`)) return id;
  return null;
}

const metadataSchema = z.object({ event_payload: z.object({ key: z.string() }) });

function cardKeyIn(metadata: unknown): string | null {
  return metadataSchema.safeParse(metadata).data?.event_payload.key ?? null;
}

const forgedSchema = z.object({ ts: z.string() });
const buttonSchema = z.looseObject({ type: z.literal('button'), action_id: z.string() });

/** The first button with this id or prefix. */
function buttonIn(value: unknown, action: string): z.output<typeof buttonSchema> | null {
  const read = buttonSchema.safeParse(value);
  if (read.success && (read.data.action_id === action || read.data.action_id.startsWith(`${action}:`)))
    return read.data;
  if (typeof value !== 'object' || value === null) return null;
  for (const inner of Object.values(value)) {
    const found = buttonIn(inner, action);
    if (found !== null) return found;
  }
  return null;
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const { promise: tooLong, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, tooLong]);
  clearTimeout(timer);
}
