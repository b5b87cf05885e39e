/** Private answers: through the response URL while it lives, else as an ephemeral message. */
import type { RespondFn } from '@slack/bolt';
import type { ChannelId, PersonId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { View } from '../views/model.ts';
import { render } from '../views/render.ts';
import { faultText } from './faults.ts';
import type { SlackWeb } from './web.ts';

/** Who asked, and where. */
export type Caller = { readonly person: PersonId; readonly channel: ChannelId };

export type ReplyOptions = {
  /** Take the place of the private message whose button was pressed, as the pages of a list do. */
  readonly replace?: boolean;
};
export type Reply = (view: View, options?: ReplyOptions) => Promise<void>;

export type Replies = {
  readonly viaResponseUrl: (respond: RespondFn, caller: Caller) => Reply;
  readonly ephemeral: (caller: Caller) => Reply;
};

export function createReplies({ web, log }: { readonly web: SlackWeb; readonly log: Log }): Replies {
  const ephemeral =
    (caller: Caller): Reply =>
    async (view) => {
      const sent = await web.ephemeral(caller.channel, caller.person, render(view));
      if (sent.kind !== 'ok') {
        log.warn(
          { event: 'reply.lost', view: view.kind, reason: faultText(sent) },
          'private reply not shown',
        );
      }
    };
  return {
    ephemeral,
    viaResponseUrl:
      (respond, caller) =>
      async (view, { replace = false } = {}) => {
        const { text, blocks } = render(view);
        try {
          await respond({
            response_type: 'ephemeral',
            replace_original: replace,
            text,
            blocks: blocks.map((block) => ({ ...block })),
          });
        } catch {
          // The error names the URL, which lets anybody post: it is dropped. A URL lives 30 minutes and five uses.
          await ephemeral(caller)(view);
        }
      },
  };
}
