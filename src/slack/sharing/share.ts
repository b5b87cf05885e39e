/**
 * Posts a private answer into its channel in the name of the one who shares it: asked for anew, but for a list that is
 * kept, of which the channel gets the rows that were seen.
 */
import type { ChannelId } from '../../ids.ts';
import type { View } from '../../views/model.ts';
import { render } from '../../views/render.ts';
import type { CommandOrder, Dispatch } from '../dispatch.ts';
import type { ReachOf } from '../external.ts';
import { faultWord } from '../faults.ts';
import { understood } from '../understood.ts';
import type { SlackWeb } from '../web.ts';

/** What the one who shares is told in private; null where the channel shows it. */
export type Share = (order: CommandOrder) => Promise<View | null>;

/** `isPersonal`: whether a channel is shown what is personal, as far as the one who shares may see it. */
export function createShare(
  dispatch: Pick<Dispatch, 'command'>,
  web: Pick<SlackWeb, 'say'>,
  reachOf: ReachOf,
  isPersonal: (channel: ChannelId) => boolean = () => false,
): Share {
  return async (order) => {
    const { person, channel, thread } = order.caller;
    const answer = await dispatch.command(order);
    if (answer.kind !== 'shareable' || !answer.share) return answer;
    // Not what was seen, for a reason that is nobody else's: shown to the one who shares first.
    if ('paging' in answer.view && answer.view.paging.anew === 'rights') return answer;
    const reach = await reachOf(channel);
    if (reach !== 'internal') return external(channel, reach === 'external');
    const message = render({ kind: 'shared', view: answer.view, by: person, personal: isPersonal(channel) });
    const said = await understood(message, (each) => web.say(channel, each, thread));
    return said.kind === 'ok' ? null : notShared(channel, faultWord(said));
  };
}

function external(channel: ChannelId, isKnown: boolean): View {
  return { kind: 'problem', problem: { kind: 'external-channel', channel, isKnown } };
}

function notShared(channel: CommandOrder['caller']['channel'], slackError: string | null): View {
  return { kind: 'problem', problem: { kind: 'not-shared', channel, slackError } };
}
