/** Private answers: through the response URL while it lives, else as an ephemeral message. */
import type { RespondArguments, RespondFn } from '@slack/bolt';
import { SECOND } from '../clock.ts';
import type { ChannelId, MessageTs, PersonId } from '../ids.ts';
import type { Log } from '../log.ts';
import { LATE, LOOKING } from '../views/looking.ts';
import type { RenderedMessage, View } from '../views/model.ts';
import { render } from '../views/render.ts';
import { type Asked, faultText, placeRefuses, readRespondFault } from './faults.ts';
import { understood } from './understood.ts';
import type { Place, SlackWeb } from './web.ts';

/** Who asked, and where; `thread` where it was in one. */
export type Caller = {
  readonly person: PersonId;
  readonly channel: ChannelId;
  readonly thread?: MessageTs | undefined;
};

export type ReplyOptions = {
  /** Take the place of the private message whose button was pressed, as the pages of a list do. */
  readonly replace?: boolean;
};
export type Reply = (view: View, options?: ReplyOptions) => Promise<void>;

/** The way back to one person for one question. Neither throws. */
export type Teller = {
  /** How long nothing is said: longer where `wait` cannot be taken back. */
  readonly patienceMs: number;
  /** Says that the answer takes a while. */
  readonly wait: () => Promise<void>;
  readonly tell: (view: View) => Promise<void>;
};

export type Replies = {
  readonly viaResponseUrl: (respond: RespondFn, caller: Caller) => Reply;
  readonly ephemeral: (caller: Caller) => Reply;
  /** The same for what is drawn already; `what` names it in the log. */
  readonly whisper: (caller: Caller, message: RenderedMessage, what: string) => Promise<void>;
  /** A message to the person alone, which makes itself heard. False where Slack did not take it. */
  readonly direct: (caller: Caller, message: RenderedMessage, what: string) => Promise<boolean>;
  readonly toCommand: (respond: RespondFn, caller: Caller) => Teller;
  /** Only the asker sees the answer, in the thread of the question. */
  readonly toMention: (caller: Caller) => Teller;
  readonly toDirectMessage: (caller: Caller) => Teller;
};

/** Until an answer is announced: by a line that becomes the answer, and by one that stays above it. */
const EDITED_MS = SECOND;
const LASTING_MS = 5 * SECOND;

export function createReplies({ web, log }: { readonly web: SlackWeb; readonly log: Log }): Replies {
  const lost = (view: string, reason: string): void => {
    log.warn({ event: 'reply.lost', view, reason }, 'could not show a private reply');
  };
  const inDirect = async ({ person }: Caller, message: RenderedMessage): Promise<Asked<unknown>> => {
    const direct = await web.openDirect(person);
    if (direct.kind !== 'ok') return direct;
    return understood(message, (said) => web.say(direct.value, said));
  };
  /** A private message where it was asked; in the direct message where that place takes none. */
  const whisper: Replies['whisper'] = async (caller, message, what) => {
    const sent = await understood(message, (said) =>
      web.ephemeral(caller.channel, caller.person, said, caller.thread),
    );
    if (sent.kind === 'ok') return;
    // Slash commands work where the bot is no member; its own words do not.
    const direct =
      sent.kind === 'refused' && placeRefuses(sent.error) ? await inDirect(caller, message) : sent;
    if (direct.kind !== 'ok') lost(what, faultText(direct));
  };
  const ephemeral =
    (caller: Caller): Reply =>
    (view) =>
      whisper(caller, render(view), view.kind);

  /** False where Slack did not take it. */
  const respondWith = async (
    respond: RespondFn,
    message: RenderedMessage,
    { replace, thread }: { readonly replace: boolean; readonly thread?: MessageTs | undefined },
  ): Promise<boolean> => {
    const sent = await understood(message, ({ text, blocks }) =>
      responded(respond, {
        response_type: 'ephemeral',
        replace_original: replace,
        // What takes a message's place stays where that is.
        ...(replace || thread === undefined ? {} : { thread_ts: thread }),
        text,
        blocks: blocks.map((block) => ({ ...block })),
      }),
    );
    return sent.kind === 'ok';
  };

  const say = async (caller: Caller, message: RenderedMessage, what: string): Promise<Place | null> => {
    const said = await understood(message, (each) => web.say(caller.channel, each, caller.thread));
    if (said.kind === 'ok') return said.value;
    lost(what, faultText(said));
    return null;
  };

  return {
    ephemeral,
    whisper,
    direct: async (caller, message, what) => {
      const sent = await inDirect(caller, message);
      if (sent.kind !== 'ok') lost(what, faultText(sent));
      return sent.kind === 'ok';
    },
    viaResponseUrl:
      (respond, caller) =>
      async (view, { replace = false } = {}) => {
        const { thread } = caller;
        if (!(await respondWith(respond, render(view), { replace, thread }))) await ephemeral(caller)(view);
      },
    // A command's response URL changes no message, only one from a press on that message does, and nothing else changes an
    // ephemeral one (docs.slack.dev/interactivity/handling-user-interaction).
    toCommand: (respond, caller) => ({
      patienceMs: LASTING_MS,
      wait: async () => {
        await respondWith(respond, LATE, { replace: false });
      },
      tell: async (view) => {
        if (!(await respondWith(respond, render(view), { replace: false }))) await ephemeral(caller)(view);
      },
    }),
    toMention: (caller) => ({
      patienceMs: LASTING_MS,
      wait: () => whisper(caller, LATE, 'late'),
      tell: ephemeral(caller),
    }),
    toDirectMessage: (caller) => {
      let waiting: Place | null = null;
      return {
        patienceMs: EDITED_MS,
        wait: async () => {
          waiting = await say(caller, LOOKING, 'looking');
        },
        tell: async (view) => {
          const message = render(view);
          const place = waiting;
          const edited = place && (await understood(message, (each) => web.edit(place, each)));
          if (edited?.kind !== 'ok') await say(caller, message, view.kind);
        },
      };
    },
  };
}

async function responded(respond: RespondFn, message: RespondArguments): Promise<Asked<null>> {
  try {
    await respond(message);
    return { kind: 'ok', value: null };
  } catch (error) {
    return readRespondFault(error);
  }
}
