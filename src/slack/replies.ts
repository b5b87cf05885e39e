/** Private answers: through the response URL while it lives, else as an ephemeral message. */
import type { RespondArguments, RespondFn } from '@slack/bolt';
import type { ChannelId, MessageTs, PersonId } from '../ids.ts';
import type { Log } from '../log.ts';
import { LOOKING } from '../views/looking.ts';
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
  /** Says that the answer takes a while. */
  readonly wait: () => Promise<void>;
  readonly tell: (view: View) => Promise<void>;
};

export type Replies = {
  readonly viaResponseUrl: (respond: RespondFn, caller: Caller) => Reply;
  readonly ephemeral: (caller: Caller) => Reply;
  /** The same for what is drawn already; `what` names it in the log. */
  readonly whisper: (caller: Caller, message: RenderedMessage, what: string) => Promise<void>;
  readonly toCommand: (respond: RespondFn, caller: Caller) => Teller;
  /** Only the asker sees the answer, in the thread of the question. */
  readonly toMention: (caller: Caller) => Teller;
  readonly toDirectMessage: (caller: Caller) => Teller;
};

export function createReplies({ web, log }: { readonly web: SlackWeb; readonly log: Log }): Replies {
  const lost = (view: string, reason: string): void => {
    log.warn({ event: 'reply.lost', view, reason }, 'private reply not shown');
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
    viaResponseUrl:
      (respond, caller) =>
      async (view, { replace = false } = {}) => {
        const { thread } = caller;
        if (!(await respondWith(respond, render(view), { replace, thread }))) await ephemeral(caller)(view);
      },
    toCommand: (respond, caller) => {
      let waiting = false;
      return {
        wait: async () => {
          waiting = await respondWith(respond, LOOKING, { replace: false });
        },
        // Slack promises to replace only messages with components; where it does not, the line stands above.
        tell: async (view) => {
          if (!(await respondWith(respond, render(view), { replace: waiting })))
            await ephemeral(caller)(view);
        },
      };
    },
    // An ephemeral message can only be changed through a response URL, which a mention has none of.
    toMention: (caller) => ({
      wait: () => whisper(caller, LOOKING, 'looking'),
      tell: ephemeral(caller),
    }),
    toDirectMessage: (caller) => {
      let waiting: Place | null = null;
      return {
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
