/**
 * Posts a private answer into its channel in the name of the one who shares it: asked for anew, but for a list that is
 * kept, of which the channel gets the rows that were seen.
 */
import { type ChannelId, isDirectMessage } from '../../lib/ids.ts';
import { inputWithResult } from '../../views/kit/pager.ts';
import type { RepeatedCommand, View } from '../../views/model.ts';
import { renderView } from '../../views/render.ts';
import { isList } from '../../views/sharing/csv.ts';
import { viewForChannel } from '../../views/sharing/shared-answer.ts';
import type { ChannelReadersOf } from '../access/external-channels.ts';
import type { CommandRequest, Dispatch } from '../dispatch/dispatch-port.ts';
import type { CommandSource } from '../replies/private-replies.ts';
import { sendWithFallback } from '../web-api/send-with-fallback.ts';
import { slackErrorCode } from '../web-api/slack-errors.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';

/** What the one who shares is told in private; null where the channel shows it. */
export type ShareAnswer = (order: CommandRequest) => Promise<View | null>;

/** `isPersonal`: whether a channel is shown what is personal, as far as the one who shares may see it. */
export function createShareAnswer(
  dispatch: Pick<Dispatch, 'runCommand'>,
  web: Pick<SlackWeb, 'say'>,
  reachOf: ChannelReadersOf,
  isPersonal: (channel: ChannelId) => boolean = () => false,
): ShareAnswer {
  return async (order) => {
    const { person, channel, thread } = order.caller;
    const answer = await dispatch.runCommand(order);
    if (answer.kind !== 'shareable' || !answer.share) return answer;
    // Not what was seen, for a reason that is nobody else's: shown to the one who shares first.
    if ('paging' in answer.view && answer.view.paging.refreshReason === 'rights') return answer;
    const reach = await reachOf(channel);
    if (reach !== 'internal') return externalProblem(channel, reach === 'external');
    const message = renderView({
      kind: 'shared',
      view: answer.view,
      by: person,
      personal: isPersonal(channel),
    });
    const posted = await sendWithFallback(message, (each) => web.say(channel, each, thread));
    return posted.kind === 'ok' ? null : notSharedProblem(channel, slackErrorCode(posted));
  };
}

function externalProblem(channel: ChannelId, isKnown: boolean): View {
  return { kind: 'problem', problem: { kind: 'external-channel', channel, isKnown } };
}

function notSharedProblem(channel: CommandRequest['caller']['channel'], slackError: string | null): View {
  return { kind: 'problem', problem: { kind: 'not-shared', channel, slackError } };
}

/** Which answers can be shared in a channel, and which can be sent as a file. Pure. */

/** Our own limit: a file of so many rows is a few megabytes. */
export const MAX_EXPORT_ROWS = 50_000;

/** A list may follow a change, too: that is not made again for the list's sake. */
function isAnswerToCommand(view: View, { command }: RepeatedCommand): boolean {
  return !('paging' in view) || view.paging.command === command;
}

/** A list that is kept is shared, and sent as a file, as its reader saw it; any other is asked for anew. */
function asSeen(view: View, again: RepeatedCommand): RepeatedCommand {
  return 'paging' in view && isAnswerToCommand(view, again)
    ? { ...again, input: inputWithResult(view.paging), page: view.paging.page }
    : again;
}

/** In a direct message there is nobody to share with. */
export function withShareButton(view: View, { channel }: CommandSource, again: RepeatedCommand): View {
  const share = !isDirectMessage(channel) && view.kind !== 'picker' && viewForChannel(view) !== null;
  const file = isList(view) && view.rows.length > 0 && isAnswerToCommand(view, again);
  return share || file ? { kind: 'shareable', view, again: asSeen(view, again), share, file } : view;
}
