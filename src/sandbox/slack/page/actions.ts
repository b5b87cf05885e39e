/** Actions of a person in the workspace, and how blocks send theirs to the sandbox. */

import { parseSlashCommand } from './composer/completions.ts';
import { api } from './state/api.ts';
import type { PageStore } from './state/store.ts';
import type { ControlAnswer, Names, RenderContext, SlackView, SurfaceLocation } from './types.ts';

type ActionsOptions = {
  readonly store: PageStore;
  readonly names: Names;
  readonly now: () => number;
  readonly refresh: () => Promise<void>;
};

/** Everything is done as the current person, and the result is read at once. */
export function createActions({ store, names, now, refresh }: ActionsOptions) {
  const followed = async <A extends ControlAnswer>(answering: Promise<A>) => {
    const answer = await answering;
    void refresh();
    return answer;
  };

  /** `fail`: shows why an action failed whose element is gone. */
  const surfaceOf = (location: SurfaceLocation, fail: RenderContext['fail'] = null): RenderContext => ({
    names,
    now,
    fail,
    fields: new Map(),
    dispatchAction: (request) =>
      followed(api.click({ user: store.get().me, ...whereIn(location), ...request })),
    suggest: (request) => api.suggest({ user: store.get().me, ...whereIn(location), ...request }),
  });

  /** Sends a line as a message or a slash command. */
  const send = async (line: string, thread: string | null): Promise<ControlAnswer & { what: string }> => {
    const { me: user, channel } = store.get();
    const request = parseSlashCommand(line);
    if (request && thread !== null)
      return { ok: false, what: request.command, error: 'not_supported_in_threads' };
    if (request)
      return { ...(await followed(api.command({ user, channel, ...request }))), what: request.command };
    const message = { user, channel, text: line, ...(thread === null ? {} : { thread_ts: thread }) };
    return { ...(await followed(api.message(message))), what: 'The message' };
  };

  return {
    surfaceOf,
    send,
    join: () => {
      const { me: user, channel } = store.get();
      return followed(api.join({ user, channel }));
    },
    invite: () => {
      const { me: user, channel } = store.get();
      return followed(api.invite({ user, channel }));
    },
    openApp: (tab: 'home' | 'messages') => followed(api.home({ user: store.get().me, tab })),
    /** In the conversation that is shown; `ts`: the message of a message shortcut. */
    shortcut(callback_id: string, ts?: string) {
      const { me: user, channel } = store.get();
      return followed(api.shortcut({ user, callback_id, channel, ...(ts === undefined ? {} : { ts }) }));
    },
    /** `remove`: removes the person's reaction. */
    react(ts: string, name: string, remove: boolean) {
      const { me: user, channel } = store.get();
      return followed(api.react({ user, channel, ts, name, remove }));
    },
    viewSurface: (view: SlackView) => surfaceOf({ channel: store.get().channel, ts: '', view_id: view.id }),
    submit: (view: SlackView, values: Record<string, Record<string, unknown>>) =>
      followed(api.submit({ user: store.get().me, view_id: view.id, values })),
    close: (view: SlackView, all: boolean) =>
      followed(api.close({ user: store.get().me, view_id: view.id, all })),
  };
}

/** A view is identified by its id alone; the channel only says where it was opened. */
const whereIn = ({ channel, ts, view_id }: SurfaceLocation) =>
  view_id === undefined ? { channel, ts } : { view_id };

export type Actions = ReturnType<typeof createActions>;
