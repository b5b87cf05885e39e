/** Posts a private answer in its channel for the person who shares it: read again, except for the seen rows of a cached list. */
import { type ChannelId, isDirectMessage, type PersonId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { inputWithResult } from '../../views/kit/pager.ts';
import { type Csv, exportComment, isList, toCsv } from '../../views/sharing/csv.ts';
import { type RepeatedCommand, renderView, type View, viewForChannel } from '../../views/views.ts';
import type { ChannelReadersOf } from '../access/external-channels.ts';
import type { CommandRequest, Dispatch } from '../dispatch/dispatch-port.ts';
import type { CommandSource } from '../replies/private-replies.ts';
import { type SlackResult, slackErrorCode, slackErrorText } from '../web-api/slack-errors.ts';
import { type SlackWeb, sendWithFallback } from '../web-api/slack-web.ts';

/** Null where the channel shows it. `isPersonal`: whether a channel may show personal data, as far as the sharer may see it. */
export function createShareAnswer(
  dispatch: Pick<Dispatch, 'runCommand'>,
  web: Pick<SlackWeb, 'say'>,
  readersOf: ChannelReadersOf,
  isPersonal: (channel: ChannelId) => boolean = () => false,
) {
  return async (request: CommandRequest): Promise<View | null> => {
    const { person, channel, thread } = request.caller;
    const answer = await dispatch.runCommand(request);
    if (answer.kind !== 'shareable' || !answer.share) return answer;
    // The rows changed because of the sharer's role: show the new list to the sharer first, and not to the channel.
    if ('paging' in answer.view && answer.view.paging.refreshReason === 'rights') return answer;
    const readers = await readersOf(channel);
    const isKnown = readers === 'external';
    if (readers !== 'internal')
      return { kind: 'problem', problem: { kind: 'external-channel', channel, isKnown } };
    const message = renderView({
      kind: 'shared',
      view: answer.view,
      by: person,
      personal: isPersonal(channel),
    });
    const posted = await sendWithFallback(message, (each) => web.say(channel, each, thread));
    if (posted.kind === 'ok') return null;
    return { kind: 'problem', problem: { kind: 'not-shared', channel, slackError: slackErrorCode(posted) } };
  };
}

/** Our own limit: a file of this many rows is a few megabytes. */
export const MAX_EXPORT_ROWS = 50_000;

/** A list may follow a change, which must not be made again to show the list. */
function isAnswerToCommand(view: View, { command }: RepeatedCommand): boolean {
  return !('paging' in view) || view.paging.command === command;
}

/** A cached list is shared and exported as its reader saw it; any other is read again. */
function asSeen(view: View, again: RepeatedCommand): RepeatedCommand {
  return 'paging' in view && isAnswerToCommand(view, again)
    ? { ...again, input: inputWithResult(view.paging), page: view.paging.page }
    : again;
}

/** A direct message has nobody to share with. */
export function withShareButton(view: View, { channel }: CommandSource, again: RepeatedCommand): View {
  const share = !isDirectMessage(channel) && view.kind !== 'picker' && viewForChannel(view) !== null;
  const file = isList(view) && view.rows.length > 0 && isAnswerToCommand(view, again);
  return share || file ? { kind: 'shareable', view, again: asSeen(view, again), share, file } : view;
}

type ExportOptions = {
  readonly dispatch: Pick<Dispatch, 'runCommand'>;
  readonly web: Pick<SlackWeb, 'openDirect' | 'sendFile'>;
  readonly log: Log;
};

export function createExportList({ dispatch, web, log }: ExportOptions) {
  const send = async (person: PersonId, csv: Csv): Promise<SlackResult<string | null>> => {
    const direct = await web.openDirect(person);
    if (direct.kind !== 'ok') return direct;
    return web.sendFile(direct.value, { name: csv.name, text: csv.text, comment: exportComment(csv) });
  };

  return async (request: CommandRequest): Promise<View> => {
    const answer = await dispatch.runCommand({ ...request, page: 0, allPages: true });
    const view = answer.kind === 'shareable' ? answer.view : answer;
    const csv = toCsv(view);
    if (csv === null) return answer;
    const sent = await send(request.caller.person, csv);
    if (sent.kind === 'ok') {
      const { name, rows, omittedRows } = csv;
      const refreshed =
        'paging' in view && view.paging.refreshReason !== undefined
          ? { refreshReason: view.paging.refreshReason }
          : {};
      return { kind: 'exported', name, link: sent.value, rows, omittedRows, ...refreshed };
    }
    log.warn(
      { event: 'export.lost', list: view.kind, reason: slackErrorText(sent) },
      'could not send an exported list',
    );
    return { kind: 'problem', problem: { kind: 'not-exported', slackError: slackErrorCode(sent) } };
  };
}
